import { chmod, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build, type Plugin } from 'esbuild'
import { nodeEnvironment, nodeFlags } from './node-settings.ts'

// usage: node tools/build.ts [--out DIR]
const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } })
const outdir = resolve(values.out)

/** The operator, and the process that the local control plane leaves behind to clean up after it. */
const programs = { holdfast: 'src/cli/holdfast.ts', keeper: 'src/dev/control-plane/keeper.ts' }

/** The names under which kubectl finds a plugin, and what completes it. */
const pluginNames = ['kubectl-ledger', 'kubectl_complete-ledger']

// Some dependencies are CommonJS and call `require`, which an ES module does not have.
const requireShim = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

/**
 * The program is a shell script too, which starts Node with its settings; to Node its second line is a string and a
 * comment. A first line of `env -S node FLAG` would do the same, but the env of BusyBox does not have -S.
 */
const launcher = (): string => {
  const variables = Object.entries(nodeEnvironment).map(([name, value]) => `${name}=${value}`)
  return `#!/bin/sh\n':' //; exec env ${[...variables, 'node', ...nodeFlags].join(' ')} "$0" "$@"\n`
}

const addLauncher = async (file: string): Promise<void> => {
  const program = await readFile(file, 'utf8')
  await writeFile(file, program.replace(/^#!.*\n/, launcher))
  const map = JSON.parse(await readFile(`${file}.map`, 'utf8')) as { readonly mappings: string }
  // The launcher has one line more than what it replaces.
  await writeFile(`${file}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }))
}

/**
 * Of undici we use pools of connections. Its index loads fetch, WebSockets, caches and mocks as well, which is half of
 * what the operator's start costs. The version is pinned, and a test runs the bundle against a real API server.
 */
const undiciPoolsOnly: Plugin = {
  name: 'undici-pools-only',
  setup(bundler) {
    const library = join(root, 'node_modules/undici/lib')
    bundler.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'pools-only' }))
    bundler.onLoad({ filter: /.*/, namespace: 'pools-only' }, () => ({
      resolveDir: library,
      contents: `
        import Pool from './dispatcher/pool.js'
        import Dispatcher from './dispatcher/dispatcher.js'
        import calls from './api/index.js'
        Object.assign(Dispatcher.prototype, calls)
        export { Pool }`,
    }))
  },
}

// The parts of an earlier build carry other hashes, and would stay.
await mkdir(outdir, { recursive: true })
for (const file of await readdir(outdir)) if (/-[A-Z0-9]{8}\.js(?:\.map)?$/.test(file)) await rm(join(outdir, file))

await build({
  entryPoints: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, join(root, file)])),
  outdir,
  absWorkingDir: root,
  bundle: true,
  // What a command loads when it is called is a file of its own: help need not be parsed together with all the rest.
  splitting: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  sourcemap: 'linked',
  banner: { js: requireShim },
  plugins: [undiciPoolsOnly],
  logLevel: 'info',
})
await addLauncher(join(outdir, 'holdfast.js'))
// Says what they are, so that Node need not find out by parsing them twice.
await writeFile(join(outdir, 'package.json'), '{ "type": "module" }\n')
for (const name of Object.keys(programs)) await chmod(join(outdir, `${name}.js`), 0o755)
for (const name of pluginNames) {
  await rm(join(outdir, name), { force: true })
  await symlink('holdfast.js', join(outdir, name))
}

// What the control plane is built from, where it cannot be downloaded.
await cp(join(root, 'src/dev/control-plane/binary'), join(outdir, 'binary'), { recursive: true })
