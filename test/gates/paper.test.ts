import { testPlantedFaults } from './planted.ts'

const home = ['', 'home', 'ada', 'notes'].join('/')
const host = ['registry', 'npmjs', 'org'].join('.')
const tested = (name: string): string => `import { test } from 'vitest'\n\ntest${name}\n`

testPlantedFaults([
  {
    gate: 'names',
    fault: 'a file and a folder that name nothing',
    plant: { 'src/pure/utils.ts': '', 'test/helpers/wait.ts': '' },
    says: ['src/pure/utils.ts: "utils.ts" names nothing', 'test/helpers/wait.ts: "helpers" names nothing'],
  },
  {
    gate: 'generated',
    fault: 'a stale file',
    plant: {
      'tools/generate.ts': "process.stdout.write('9 files\\ndeploy/crds/a.yaml is stale\\n')\nprocess.exitCode = 1\n",
    },
    says: ['9 files', 'deploy/crds/a.yaml is stale', 'make generate'],
  },
  {
    gate: 'generated',
    fault: 'a generator that compared nothing',
    plant: { 'tools/generate.ts': "process.stdout.write('0 files\\n')\n" },
    says: ['examined only 0 files'],
  },
  {
    gate: 'rules',
    fault: 'a rule without a test',
    plant: { 'docs/specs/greeting.md': (before) => `${before}- **GR-2** It is short.\n- **GR-3** It is kind.\n` },
    says: ['docs/specs/greeting.md:4 GR-2 has no test', 'docs/specs/greeting.md:5 GR-3 has no test'],
  },
  {
    gate: 'rules',
    fault: 'a rule whose only test is skipped',
    plant: {
      'docs/specs/greeting.md': (before) => `${before}**GR-2** It is short.\n`,
      'test/short.test.ts': tested(".skip('GR-2 it is short', () => {})"),
    },
    says: ['GR-2 has no test'],
  },
  {
    gate: 'rules',
    fault: 'tests of rules that nobody wrote',
    plant: {
      'test/known.test.ts': tested("('GR-1 GR-7 it is new', () => {})"),
      'test/each.test.ts': tested(".each([1])('XY-4 it is $0', () => {})"),
    },
    says: ['test/known.test.ts:3 GR-7 is in no page', 'test/each.test.ts:3 XY-4 is in no page'],
  },
  {
    gate: 'rules',
    fault: 'a rule id used twice',
    plant: { 'docs/specs/other.md': '- **GR-1** Another rule.\n' },
    says: ['docs/specs/other.md:1 GR-1 is already taken at docs/specs/greeting.md:3'],
  },
  {
    gate: 'rules',
    fault: 'pages without rules',
    plant: { 'docs/specs/greeting.md': '# Greeting\n' },
    says: ['examined only 0 rules', 'docs/specs/greeting.md holds no rule'],
  },
  {
    gate: 'lockfile',
    fault: 'a registry, a missing digest and another version',
    plant: {
      'package.json': (before) => before.replace('"undici": "8.0.0"', '"undici": "8.1.0"'),
      'package-lock.json': (before) =>
        before.replace('"integrity":"sha512-undici"', `"resolved":"https://${host}/undici.tgz"`),
    },
    says: [
      `node_modules/undici names a registry: https://${host}`,
      'node_modules/undici has no integrity',
      'undici is 8.1.0 in package.json, 8.0.0 in the lock',
    ],
  },
  {
    gate: 'lockfile',
    fault: 'an empty lock',
    plant: { 'package-lock.json': '{"packages":{}}' },
    says: ['examined only 0 packages'],
  },
  {
    gate: 'words',
    fault: 'a home and a registry',
    plant: { 'docs/setup.md': `# Set-up\n\nSee ${home}/todo\nand ${host}\n` },
    says: ['docs/setup.md:3 names a place', 'docs/setup.md:4 names a place'],
  },
  {
    gate: 'words',
    fault: 'the folder that somebody works in',
    plant: (root) => ({ 'src/pure/greeting.ts': (before) => `${before}// see ${root}/notes.md\n` }),
    says: ['src/pure/greeting.ts:10 names a place'],
  },
])
