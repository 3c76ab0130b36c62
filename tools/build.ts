import { chmod, cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** The operator, and the process that the local control plane leaves behind to clean up after it. */
const programs = { holdfast: 'src/cli/holdfast.ts', keeper: 'src/dev/control-plane/keeper.ts' }

// Some dependencies are CommonJS and call `require`, which an ES module does not have.
const requireShim = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

for (const [name, entry] of Object.entries(programs)) {
  const outfile = join(root, 'dist', `${name}.js`)
  const source = await readFile(join(root, entry), 'utf8')
  // esbuild moves an entry's own first line above the banner; a second one would be a syntax error.
  const shebang = source.startsWith('#!') ? '' : '#!/usr/bin/env node\n'
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    sourcemap: 'linked',
    banner: { js: shebang + requireShim },
    logLevel: 'info',
  })
  await chmod(outfile, 0o755)
}

// What the control plane is built from, where it cannot be downloaded.
await cp(join(root, 'src/dev/control-plane/binary'), join(root, 'dist/binary'), { recursive: true })
