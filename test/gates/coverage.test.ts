import { expect, test } from 'vitest'
import { aProject, type Plant } from './project.ts'

/** An istanbul report that says of decide.ts which of its three switch branches ran. */
const covered =
  (branches: readonly number[]) =>
  (root: string): Plant => {
    const path = `${root}/src/controllers/greeter/decide.ts`
    const at = (line: number) => ({ start: { line, column: 4 }, end: { line: line + 1, column: 0 } })
    const decide = {
      path,
      statementMap: { 0: at(7), 1: at(9) },
      s: { 0: branches[0], 1: branches[1] },
      branchMap: { 0: { type: 'switch', locations: [at(7), at(9), at(11)] } },
      b: { 0: branches },
    }
    return { 'coverage/coverage-final.json': JSON.stringify({ [path]: decide }) }
  }

test('the branch that only the compiler knows of is not missed', async () => {
  using project = aProject(covered([1, 1, 0]))

  const { green, output } = await project.run('tools/coverage-by-folder.ts')

  expect(output).toMatch(/src\/controllers\/greeter +100\.0 % +100\.0 %/)
  expect(green).toBe(true)
})

test('an untried branch of a decision is below the floor', async () => {
  using project = aProject(covered([1, 0, 0]))

  const { green, output } = await project.run('tools/coverage-by-folder.ts')

  expect(output).toContain('src/controllers/greeter/decide.ts: 50.0 % of branches covered, 95 % wanted')
  expect(green).toBe(false)
  expect((await project.run('tools/tally.ts', 'test')).output).toMatch(/was not written\n[^]*\n0 passed, 2 failed\n$/)
})

test('the tally adds gates and tests, counts a file that did not load, and says of each failure what and why', async () => {
  using project = aProject((root) => ({
    '.dev/reports/check.json': JSON.stringify([
      { gate: 'types', passed: true },
      { gate: 'words', passed: false },
    ]),
    '.dev/reports/test.json': JSON.stringify({
      success: false,
      numPassedTests: 7,
      testResults: [
        {
          name: `${root}/test/a.test.ts`,
          status: 'failed',
          message: '',
          assertionResults: [
            { status: 'failed', fullName: 'it holds', failureMessages: ['Error: it did not\n    at somewhere'] },
            { status: 'passed', fullName: 'it stands', failureMessages: [] },
          ],
        },
        { name: `${root}/test/b.test.ts`, status: 'failed', message: 'no such module', assertionResults: [] },
      ],
    }),
  }))

  expect((await project.run('tools/tally.ts', 'check', 'test')).output.split('\n')).toEqual([
    'failed: gate words',
    'failed: test/a.test.ts: it holds',
    'Error: it did not',
    'failed: test/b.test.ts',
    'no such module',
    '8 passed, 3 failed',
    '',
  ])
})

test('the tally knows of errors that no test waited for, and of a run that ended badly without a word', async () => {
  const green = { '.dev/reports/test.json': JSON.stringify({ success: true, numPassedTests: 7, testResults: [] }) }
  const ended = (status: number) => ({
    '.dev/reports/end.json': JSON.stringify({ status, signal: null, lastWords: 'error during close' }),
  })
  using well = aProject(() => ({ ...green, ...ended(0) }))
  using badly = aProject(() => ({ ...green, ...ended(1) }))
  using unheard = aProject(() => ({
    ...green,
    ...ended(1),
    '.dev/reports/outside.json': JSON.stringify(['Unhandled Rejection\ntest/a.test.ts\nError: gone\n    at somewhere']),
  }))

  expect((await well.run('tools/tally.ts', 'test')).output).toBe('7 passed, 0 failed\n')
  expect((await badly.run('tools/tally.ts', 'test')).output).toBe(
    'failed: the tests passed, and vitest ended with 1\nerror during close\n7 passed, 1 failed\n',
  )
  expect((await unheard.run('tools/tally.ts', 'test')).output).toMatch(
    /^failed: an error that no test waited for\nUnhandled Rejection\ntest\/a\.test\.ts\n[^]*somewhere\n7 passed, 1 failed\n$/,
  )
})
