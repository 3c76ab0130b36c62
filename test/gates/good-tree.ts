const manifest = {
  name: 'planted',
  type: 'module',
  dependencies: { undici: '8.0.0' },
  devDependencies: { vitest: '5.0.0', eslint: '10.0.0', 'typescript-eslint': '8.0.0', typescript: '6.0.0' },
}

const locked = Object.fromEntries(
  Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).map(([name, version]) => [
    `node_modules/${name}`,
    { version, integrity: `sha512-${name}` },
  ]),
)

/** The smallest tree with something for every gate to look at. */
export const goodTree = {
  'package.json': `${JSON.stringify(manifest, undefined, 2)}\n`,
  'package-lock.json': JSON.stringify({ packages: { '': manifest, ...locked } }),
  'docs/specs/greeting.md': '# Greeting\n\n- **GR-1** A greeting names the one it greets.\n',
  'tools/generate.ts': "process.stdout.write('4 files\\n')\n",
  'src/pure/greeting.ts': `export interface Greeted {
  readonly name: string
  readonly loud: boolean
}

export const greetingOf = ({ name, loud }: Greeted): string => {
  const words = ['hello', name].join(' ')
  return loud ? words.toUpperCase() : words
}
`,
  'src/pure/greeting.test.ts': `import { expect, test } from 'vitest'
import { greetingOf } from './greeting.ts'

test('GR-1 a greeting names the one it greets', () => {
  expect(greetingOf({ name: 'ada', loud: false })).toBe('hello ada')
  expect(greetingOf({ name: 'ada', loud: true })).toBe('HELLO ADA')
})
`,
  'src/kube/wire.ts': `import { request } from 'undici'
import { greetingOf } from '../pure/greeting.ts'

export const sendGreeting = async (url: string, name: string): Promise<number> => {
  const { statusCode } = await request(url, { method: 'POST', body: greetingOf({ name, loud: true }) })
  return statusCode
}
`,
  'src/controllers/greeter/decide.ts': `import { greetingOf } from '../../pure/greeting.ts'

export type Stage = 'asleep' | 'awake'

export const decide = (stage: Stage, name: string): string => {
  switch (stage) {
    case 'asleep':
      return 'wait'
    case 'awake':
      return greetingOf({ name, loud: false })
    default:
      return stage satisfies never
  }
}
`,
  'src/dev/control-plane/keeper.ts': `process.on('disconnect', () => {
  process.stdout.write('the parent is gone\\n')
  process.exitCode = 1
})
`,
  'src/cli/holdfast.ts': `import { decide } from '../controllers/greeter/decide.ts'
import { sendGreeting } from '../kube/wire.ts'

const [url = '', name = ''] = process.argv.slice(2)
process.stdout.write(decide('awake', name))
process.exitCode = (await sendGreeting(url, name)) === 200 ? 0 : 1
`,
}
