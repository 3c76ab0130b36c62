import { testPlantedFaults } from './planted.ts'

const imports = (...paths: readonly string[]): string =>
  paths
    .map((path) => (path.startsWith('type ') ? `import type {} from '${path.slice(5)}'\n` : `import '${path}'\n`))
    .join('')

const repeated = (name: string): string => `export const ${name} = (values: readonly number[]): string => {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  const spread = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0)
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length
  return [middle, spread, mean].map((value) => value.toFixed(2)).join(', ')
}
`

testPlantedFaults([
  {
    gate: 'layers',
    fault: 'imports against the layers',
    plant: {
      'src/pure/upward.ts': imports('../kube/wire.ts'),
      'src/kube/kinds.ts': imports('type ../api/kind.ts'),
      'src/api/kind.ts': imports('../pure/greeting.ts', '../dev/control-plane/keeper.ts'),
      'src/runtime/loop.ts': imports('../controllers/greeter/decide.ts', 'undici'),
      'src/dev/control-plane/keeper.ts': imports('../../controllers/greeter/decide.ts'),
      'src/controllers/waver/controller.ts': imports('../greeter/decide.ts', '../../config.ts'),
      'src/config.ts': imports('./kube/wire.ts', '../tools/generate.ts', 'vitest'),
      'src/extra/island.ts': imports('../pure/greeting.ts'),
    },
    says: [
      'layer-pure: src/pure/upward.ts → src/kube/wire.ts',
      'layer-kube: src/kube/kinds.ts → src/api/kind.ts',
      'layer-api: src/api/kind.ts → src/dev/control-plane/keeper.ts',
      'layer-runtime: src/runtime/loop.ts → src/controllers/greeter/decide.ts',
      'layer-dev: src/dev/control-plane/keeper.ts → src/controllers/greeter/decide.ts',
      'layer-controllers: src/controllers/waver/controller.ts → src/config.ts',
      'layer-config: src/config.ts → src/kube/wire.ts',
      'controllers-apart: src/controllers/waver/controller.ts → src/controllers/greeter/decide.ts',
      'undici-at-the-edge: src/runtime/loop.ts',
      'src-stands-alone: src/config.ts → tools/generate.ts',
      'no-dev-dependency: src/config.ts',
      'unknown-folder: src/extra/island.ts',
      'no-island: src/extra/island.ts',
    ],
  },
  {
    gate: 'layers',
    fault: 'a decision that reaches the cluster through a neighbour, cycles and orphans',
    plant: {
      'src/controllers/greeter/stage.ts': imports('type ./observe.ts'),
      'src/controllers/greeter/observe.ts': imports('../../kube/wire.ts'),
      'src/pure/one.ts': imports('type ./two.ts'),
      'src/pure/two.ts': imports('./one.ts'),
      'src/pure/alone.ts': 'export const alone = 1\n',
    },
    says: [
      'decisions-are-pure: src/controllers/greeter/stage.ts → ',
      'no-cycle: src/pure/one.ts → src/pure/two.ts → src/pure/one.ts',
      'no-orphan: src/pure/alone.ts',
    ],
  },
  {
    gate: 'layers',
    fault: 'modules that it does not see',
    plant: { '.dependency-cruiser.mjs': (before) => before.replace('doNotFollow:', "exclude: '^src', doNotFollow:") },
    says: ['examined only'],
  },
  {
    gate: 'dead-code',
    fault: 'a file, an export and a dependency that nobody uses',
    plant: {
      'src/pure/forgotten.ts': 'export const forgotten = 1\n',
      'src/pure/greeting.ts': (before) => `${before}\nexport const unheard = 1\n`,
      'src/kube/wire.ts': (before) => before.replace("import { request } from 'undici'", 'const request = fetch'),
    },
    says: ['src/pure/forgotten.ts: unused file', 'exports: unheard', 'dependencies: undici'],
  },
  {
    gate: 'dead-code',
    fault: 'folders that it is not told of',
    plant: { 'knip.json': (before) => before.replace(/"project": \[[^\]]*\]/, '"project": ["tools/**/*.ts"]') },
    says: ['examined only'],
  },
  {
    gate: 'test-only',
    fault: 'code that only a test uses',
    plant: {
      'src/pure/greeting.ts': (before) => `${before}\nexport const rehearsed = 1\n`,
      'src/pure/rehearsed.test.ts': "import { rehearsed } from './greeting.ts'\n\nrehearsed.toFixed()\n",
    },
    says: ['exports: rehearsed'],
  },
  {
    gate: 'test-only',
    fault: 'folders that it is not told of',
    plant: { 'knip.json': (before) => before.replace('src/**/*.ts!', 'src/api/*.ts!') },
    says: ['examined only'],
  },
  {
    gate: 'clones',
    fault: 'the same code twice',
    plant: { 'src/pure/first.ts': repeated('first'), 'src/kube/second.ts': repeated('second') },
    says: ['src/pure/first.ts:', 'src/kube/second.ts:', 'tokens'],
  },
  {
    gate: 'clones',
    fault: 'a pattern that matches no source',
    plant: { '.jscpd.json': (before) => before.replace('{src,test}/**', 'lib/**') },
    says: ['examined only'],
  },
])
