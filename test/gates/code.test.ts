import { testPlantedFaults } from './planted.ts'

const clock = `export const stamp = (): number => Date.now()
export const moment = (): Date => new Date()
export const dice = (): number => Math.random()
export const later = async (): Promise<void> => {
  await Promise.resolve()
}
export const tick = (): void => {
  setTimeout(() => console.log(process.pid), 1)
}
`

const swallow = `export const swallow = (a: number, b: number, c: number, d: number, e: number): number => {
  try {
    return a + b + c + d + e
  } catch {}
  return Number(process.env['LUCK'])
}

export const nameOf = (stage: 'asleep' | 'awake'): string => {
  switch (stage) {
    case 'asleep':
      return 'a'
  }
  return 'b'
}
`

const labels = `type Labels = Readonly<Record<string, string>>

export const of = (labels: Labels, key: string): string | undefined => labels[key]
export const has = (labels: Labels, key: string): boolean => key in labels
export const take = (labels: Labels, key: string): string | undefined => (({ [key]: value }) => value)(labels)
export const any = <K extends string>(labels: Labels | undefined, key: K): string | undefined => labels?.[key]
export const known = (labels: Labels): string | undefined => labels['app']
export const either = (labels: Labels, key: 'a' | 'b'): boolean => key in labels || labels[key] === ''
export const step = (labels: Labels, field: string): string | undefined => labels[\`f:\${field}\`]
`

testPlantedFaults([
  {
    gate: 'types',
    fault: 'a value of another type',
    plant: { 'src/pure/greeting.ts': "export const greetingOf = (): string => ['hello']\n" },
    says: ['src/pure/greeting.ts(1,', "Type 'string[]' is not assignable to type 'string'"],
  },
  {
    gate: 'types',
    fault: 'sources that the compiler is not told of',
    plant: { 'tsconfig.json': (before) => before.replace('"src", ', '') },
    says: ['examined only'],
  },
  {
    gate: 'lint',
    fault: 'impure pure files, swallowed errors, missing cases, stray environment reads, silenced rules and size',
    plant: {
      'src/pure/clock.ts': clock,
      'src/controllers/greeter/render/pod.ts': clock,
      'src/controllers/greeter/target-stage.ts': clock,
      'src/kube/swallow.ts': swallow,
      'src/kube/silenced.ts': '// eslint-disable-next-line\nexport const any = (value: any): unknown => value\n',
      'src/kube/long.ts': 'export {}\n'.repeat(401),
    },
    says: [
      ...['pure/clock', 'controllers/greeter/render/pod', 'controllers/greeter/target-stage'].flatMap((module) => [
        `src/${module}.ts:1:36 'Date.now' is restricted`,
        `src/${module}.ts:2:35 Pure code takes \`now\``,
        `src/${module}.ts:3:35 'Math.random' is restricted`,
        `src/${module}.ts:4:22 Pure code does not wait`,
        `src/${module}.ts:5:3 Pure code does not wait`,
        `src/${module}.ts:8:3 Unexpected use of 'setTimeout'`,
        `src/${module}.ts:8:20 Unexpected use of 'console'`,
        `src/${module}.ts:8:32 Unexpected use of 'process'`,
      ]),
      '(max-params)',
      '(no-empty)',
      '(@typescript-eslint/switch-exhaustiveness-check)',
      'src/kube/swallow.ts:5:17 Only src/config.ts reads the environment',
      'src/kube/silenced.ts:2:28 Unexpected any',
      'src/kube/long.ts:401:1 File has too many lines',
    ],
  },
  {
    gate: 'lint',
    fault: 'keys from outside that find what every object inherits',
    plant: { 'src/kube/labels.ts': labels },
    says: [3, 4, 5, 6].map((line) => `src/kube/labels.ts:${line}:`),
  },
  {
    gate: 'lint',
    fault: 'sources that the linter ignores',
    plant: {
      'eslint.config.ts': (before) => before.replace("ignores: ['node_modules/'", "ignores: ['src/', 'node_modules/'"),
    },
    says: ['examined only'],
  },
  {
    gate: 'format',
    fault: 'a file in another style',
    plant: { 'src/pure/greeting.ts': 'export const greetingOf = (): string => "hello";\n' },
    says: ['src/pure/greeting.ts format: not as the formatter would write it'],
  },
  {
    gate: 'format',
    fault: 'sources that the formatter ignores',
    plant: { 'biome.json': (before) => before.replace('"*.json"', '"*.json", "!**/src"') },
    says: ['examined only'],
  },
])
