import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { ApiError } from '../../src/kube/api-error.ts'
import { ComparisonFailed, exitCodeOf } from '../../src/cli/failure.ts'
import { Secret } from '../../src/pure/kind.ts'
import { runHoldfast } from './run.ts'

const run = async (...args: readonly string[]) => {
  const { exit, stdout, stderr } = runHoldfast(args)
  const [code] = await exit
  return { code, stdout: await stdout, stderr: await stderr }
}

test('version prints one line, or JSON', async () => {
  expect(await run('version')).toEqual({ code: 0, stdout: `holdfast ${manifest.version}\n`, stderr: '' })
  expect(await run('version', '-o', 'json')).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ client: { version: manifest.version } })}\n`,
    stderr: '',
  })
})

test.each(['--help', 'install --help', 'plan --help', 'help install', '--version'])('%s exits 0', async (line) => {
  const { code, stderr } = await run(...line.split(' '))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

describe('what cannot be understood exits 2, says why on stderr, and prints nothing on stdout', () => {
  test.each<[args: readonly string[], says: string]>([
    [[], 'Usage: holdfast'],
    [['instal'], 'Did you mean install?'],
    [['install', '--nope'], "unknown option '--nope'"],
    [['install', '--namespace', 'Not_A_Name'], 'It is no name of a namespace.'],
    [['install', '--watch-namespace', 'a', '--watch-namespace', '-b-'], 'It is no name of a namespace.'],
    [['install', '--kubeconfig', 'x'], '--kubeconfig goes with --check'],
    [['install', '--ledger-image', 'ledger'], 'It is no image with a tag: write REPOSITORY:TAG.'],
    [['install', '--ledger-image', 'registry.example:5000/ledger'], 'It is no image with a tag'],
    [['install', '--ledger-image', `ledger:v2@sha256:${'0'.repeat(64)}`], 'It has a digest: name a tag instead'],
    [['plan', '--without', 'pods'], 'Allowed choices are ledgerclusteragents, ledgerservices.'],
    [['plan', '-o', 'yaml'], 'Allowed choices are json.'],
    [['plan', '-n', 'Not_A_Name'], 'It is no name of a namespace.'],
    [['operator', '--http-port', '70000'], 'It is no number of a port'],
    [['operator', '--http-address', 'localhost'], 'It must be an IPv4 or IPv6 address'],
    [['operator', '--http-address', '[::1]'], 'It must be an IPv4 or IPv6 address'],
    [['operator', '--http-address', ''], 'It must be an IPv4 or IPv6 address'],
    [['version', '-o', 'yaml'], 'Allowed choices are json.'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish, powershell.'],
  ])('%s', async (args, says) => {
    const { code, stdout, stderr } = await run(...args)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(says)
  })
})

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish', 'powershell'])('has a script for %s, which asks holdfast itself', async (shell) => {
    const { code, stdout } = await run('completion', shell)

    expect(code).toBe(0)
    expect(stdout).toMatch(/holdfast complete '?--/)
  })

  test.each<[typed: readonly string[], offers: readonly string[]]>([
    [['in'], ['install']],
    [['install', '--wa'], ['--watch-namespace']],
    [
      ['operator', '--without', ''],
      ['ledgerclusteragents', 'ledgerservices'],
    ],
    [['plan', 'ledgerclustera'], ['ledgerclusteragents']],
    [['plan', '-o', ''], ['json']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', 'powershell'],
    ],
    [['version', '-o', ''], ['json']],
  ])('of %s', async (typed, offers) => {
    const { code, stdout } = await run('complete', '--', ...typed)

    expect(code).toBe(0)
    const words = stdout.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
    expect(words.map((line) => line.split('\t')[0]).sort()).toEqual([...offers].sort())
  })
})

describe('the exit code tells scripts why', () => {
  const refused = (status: number) =>
    new ApiError({ verb: 'get', kind: Secret }, { why: 'no', class: status === 404 ? 'gone' : 'refused', status })

  test.each<[what: string, error: unknown, code: number]>([
    ['not found', refused(404), 4],
    ['forbidden', refused(403), 5],
    ['invalid', refused(422), 1],
    ['something else', new Error('no'), 1],
    ['a comparison that was not allowed', new ComparisonFailed(refused(403)), 5],
    ['a comparison that failed', new ComparisonFailed(new Error('no')), 2],
  ])('%s', (_, error, code) => {
    expect(exitCodeOf(error)).toBe(code)
  })
})
