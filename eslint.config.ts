import type { Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { ownKeys } from './tools/lint/own-keys.ts'

// Flat config: a later block that sets a rule replaces the rule's options. The blocks that set the same
// `no-restricted-*` rule (pure, impure, environment readers) therefore have globs that exclude each other.
const tests = ['**/*.test.ts', 'test/**/*.ts']
const pure = [
  'src/pure/**/*.ts',
  'src/controllers/**/{,*-}{stage,decide,status}.ts',
  'src/controllers/**/render/**/*.ts',
]
// exec-run.ts hands its environment on to a credential plugin, and asks it nothing.
const environmentReaders = ['src/config.ts', 'src/dev/control-plane/settings.ts', 'src/kube/exec-run.ts']

const environmentAccess = 'MemberExpression[object.name="process"][property.name="env"]'
const noEnvironmentImport = {
  paths: [{ name: 'node:process', message: 'Use the global, so that the lint can see it.' }],
}

const sizes: Linter.RulesRecord = {
  'max-lines': ['error', { max: 400 }],
  'max-params': ['error', 4],
  'max-depth': ['error', 3],
  'no-empty': ['error', { allowEmptyCatch: false }],
}

/** Where the strict preset would make good code worse. */
const tuned: Linter.RulesRecord = {
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  // `return apply(effect)` ends a case of an exhaustive switch, whatever apply returns.
  '@typescript-eslint/no-confusing-void-expression': 'off',
  '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'only-allowed-literals' }],
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { requireDefaultForNonUnion: true }],
  // A kind is a value and a type of the same name, as `const Workspace` and `type Workspace` are.
  '@typescript-eslint/no-redeclare': 'off',
  // `void promise` marks a promise that is let go on purpose.
  '@typescript-eslint/no-meaningless-void-operator': 'off',
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
  '@typescript-eslint/consistent-type-imports': 'error',
  // An interface method may be async in one implementation and not in another.
  '@typescript-eslint/require-await': 'off',
  '@typescript-eslint/no-empty-function': 'off',
  // Generic parameters that only name the caller's type: `read<T>(path)`.
  '@typescript-eslint/no-unnecessary-type-parameters': 'off',
}

const timers = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'performance', 'fetch']
const impureModules = [
  'node:process',
  'node:timers',
  'node:timers/*',
  'node:fs',
  'node:fs/*',
  'node:child_process',
  'node:net',
  'node:http*',
]

const purity: Linter.RulesRecord = {
  'no-restricted-globals': [
    'error',
    ...['process', 'console', ...timers].map((name) => ({ name, message: 'Pure code is given what it needs.' })),
  ],
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: 'Pure code takes `now` as a parameter.' },
    { object: 'Math', property: 'random', message: 'Pure code takes randomness as a parameter.' },
  ],
  'no-restricted-imports': ['error', { patterns: [{ group: impureModules, message: 'Pure code touches nothing.' }] }],
  'no-restricted-syntax': [
    'error',
    { selector: 'AwaitExpression, ForOfStatement[await=true]', message: 'Pure code does not wait.' },
    { selector: ':function[async=true]', message: 'Pure code does not wait.' },
    {
      selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
      message: 'Pure code takes `now` as a parameter.',
    },
    { selector: 'CallExpression[callee.name="Date"]', message: 'Pure code takes `now` as a parameter.' },
    { selector: 'MemberExpression[object.name="globalThis"]', message: 'Pure code is given what it needs.' },
  ],
}

export default [
  { ignores: ['node_modules/', 'dist/', 'coverage/', '.dev/'] },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    // A rule that does not fit is tuned here, for everyone, not silenced in place.
    linterOptions: { noInlineConfig: true },
    rules: { ...sizes, ...tuned },
  },
  { files: ['**/*.ts'], ignores: tests, rules: { 'max-lines-per-function': ['error', { max: 60 }] } },
  // A describe callback is a table of contents, not a function that anyone has to hold in mind.
  {
    files: tests,
    rules: { 'max-lines-per-function': ['error', { max: 200 }], '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    // The one place where a key that anybody chose meets a record.
    files: ['src/**/*.ts'],
    ignores: ['src/pure/own.ts', ...tests],
    plugins: { holdfast: { rules: { 'own-keys': ownKeys } } },
    rules: { 'holdfast/own-keys': 'error' },
  },
  { files: pure, ignores: tests, rules: purity },
  {
    files: ['src/**/*.ts'],
    ignores: [...pure, ...environmentReaders, ...tests],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: environmentAccess, message: 'Only src/config.ts reads the environment.' },
      ],
      'no-restricted-imports': ['error', noEnvironmentImport],
    },
  },
] satisfies Linter.Config[]
