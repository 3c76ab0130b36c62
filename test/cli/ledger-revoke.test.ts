import { expect, test } from 'vitest'
import { eventually } from '../../src/dev/eventually.ts'
import { revokeAnnotation } from '../../src/pure/names.ts'
import { followLedger, onTerminal, runLedger } from './ledger-run.ts'
import { ledgerWorld, type Status } from './ledger-world.ts'

const former = '1111111111111111'
const current = '2222222222222222'
const next = '3333333333333333'

const keys = (...states: readonly NonNullable<Status['generations']>[number]['state'][]): Status['generations'] =>
  states.map((state, index) => ({ generation: index + 1, keyID: String(index + 1).repeat(16), state }))

const standing: Status = { keyID: current, generations: keys('Retiring', 'Current') }
const progress = (status: 'True' | 'False', message: string): Status => ({
  conditions: [
    {
      type: 'RevocationComplete',
      status,
      reason: status === 'True' ? 'Revoked' : 'Revoking',
      message,
      lastTransitionTime: '2020-01-01T00:00:00Z',
    },
  ],
})
const printName = (name: string) => `ledgerclusteragent.ledger.formance.com/${name}`

test('KL-23 revoke adds the key to those that were asked for before, once', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  await world.createAgent({}, standing)
  const revoke = (keyId: string) => runLedger(['agents', 'revoke', agent, keyId, '--yes'])

  expect(await revoke(former)).toEqual({
    code: 0,
    stdout: `${printName(agent)} is asked to revoke key ${former}\n`,
    stderr: `see how far it is with: kubectl ledger agents get ${agent}\n`,
  })
  expect(await world.annotation(revokeAnnotation)).toBe(former)
  expect((await revoke(current)).code).toBe(0)
  expect(await world.annotation(revokeAnnotation)).toBe(`${former},${current}`)
  const again = await revoke(former)
  expect(again).toMatchObject({ code: 0, stdout: `${printName(agent)} was asked before to revoke key ${former}\n` })
  expect(await world.annotation(revokeAnnotation)).toBe(`${former},${current}`)
})

test('KL-23 what others have asked for while somebody thought about it stays asked for', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  await world.createAgent({}, standing)

  using terminal = onTerminal(['agents', 'revoke', agent, former])
  await terminal.until('[y/N]')
  using other = onTerminal(['agents', 'revoke', agent, current, '-y'])
  expect((await other.end()).code).toBe(0)
  terminal.type('y\n')

  expect((await terminal.end()).code).toBe(0)
  expect(await world.annotation(revokeAnnotation)).toBe(`${current},${former}`)
})

test.each(['111111111111111', '11111111111111111', 'AAAAAAAAAAAAAAAA', '', ',', `${former},${current}`])(
  'KL-24 revoke takes the full id of a key that the agent has, and nothing else: "%s"',
  async (keyId) => {
    await using world = await ledgerWorld()
    const { agent } = world
    await world.createAgent({}, { keyID: current, generations: keys('Retiring') })

    const { code, stdout, stderr } = await runLedger(['agents', 'revoke', agent, keyId, '--yes'])

    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr).toBe(
      `kubectl-ledger: agent "${agent}" has no key "${keyId}": name one of its own in full: ${former} (Retiring), ${current} (Current)\n`,
    )
    expect(await world.annotation(revokeAnnotation)).toBeUndefined()
  },
)

test('KL-9, KL-24 revoke says what stops working, and does nothing unless the answer is yes', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  await world.createAgent({}, { ...standing, matchedServices: [{ namespace: 'team-a', name: 'books' }] })
  const questionOn = async (keyId: string) => {
    using terminal = onTerminal(['agents', 'revoke', agent, keyId])
    await terminal.until('[y/N]')
    terminal.type('\n')
    const { code, shown } = await terminal.end()
    expect(code).toBe(1)
    return shown
  }
  const stops =
    'Every token that was signed with it and every bundle that holds it stops working at once, and for good.'
  const restart = 'Pods of 1 service (team-a/books) restart. [y/N]'

  expect(await questionOn(former)).toContain(`Revoke key ${former} of agent "${agent}"? ${stops} ${restart}`)
  expect(await questionOn(current)).toContain(
    `${stops} It is the current key: a new one takes its place, in all copies. ${restart}`,
  )
  expect(await world.annotation(revokeAnnotation)).toBeUndefined()
})

test('KL-25 revoke --wait tells of pod after pod, and ends when the last one has dropped this key', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  const earlier = progress('True', 'another key was dropped by 3 of 3 pods within 40 s')
  await world.createAgent({}, { ...standing, ...earlier })

  using following = followLedger(['agents', 'revoke', agent, current, '-y', '--wait', '--timeout', '10m'])
  await eventually('it is asked for', () => world.annotation(revokeAnnotation))
  await following.until(() => following.notes.includes('its operator has not begun yet'))
  for (const dropped of ['0 of 3 pods', '2 of 3 pods']) {
    await world.report({ generations: keys('Retiring', 'Revoked', 'Minted'), ...progress('False', dropped) })
    await following.until(() => following.notes.includes(`Revoking: ${dropped}`))
  }
  const end = progress('True', '3 of 3 pods within 50 s')
  await world.report({ keyID: next, generations: keys('Retiring', 'Revoked', 'Current'), ...end })

  expect((await following.end()).code).toBe(0)
  expect(following.notes).toHaveLength(3)
  expect(following.lines.at(-1)).toBe(
    `${printName(agent)} has revoked key ${current}: 3 of 3 pods within 50 s; it has key ${next} now`,
  )
})

test('KL-25 revoke --wait of a key that is gone everywhere already ends at once', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  const done = progress('True', '3 of 3 pods within 50 s')
  await world.createAgent({}, { keyID: current, generations: keys('Revoked', 'Current'), ...done })

  expect(await runLedger(['agents', 'revoke', agent, former, '-y', '--wait'])).toEqual({
    code: 0,
    stdout: [
      `${printName(agent)} was asked before to revoke key ${former}`,
      `${printName(agent)} has revoked key ${former}: 3 of 3 pods within 50 s`,
      '',
    ].join('\n'),
    stderr: '',
  })
  expect(await world.annotation(revokeAnnotation)).toBeUndefined()
})

test('KL-25 revoke --wait ends when the Secret of the revoked key is deleted, and the status does not list the key', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  await world.createAgent({}, { ...standing, ...progress('True', 'another key left the last pod') })

  using following = followLedger(['agents', 'revoke', agent, current, '-y', '--wait', '--timeout', '10m'])
  await eventually('it is asked for', () => world.annotation(revokeAnnotation))
  await following.until(() => following.notes.includes('its operator has not begun yet'))
  const end = progress('True', `key ${current} left the last pod 50s after it was revoked`)
  const [, , third] = keys('Retiring', 'Revoked', 'Current') ?? []
  await world.report({ keyID: next, generations: [third!], ...end })

  expect((await following.end()).code).toBe(0)
  expect(following.lines.at(-1)).toBe(
    `${printName(agent)} has revoked key ${current}: key ${current} left the last pod 50s after it was revoked; it has key ${next} now`,
  )
})

test('KL-25 revoke --wait of a revoked key whose Secret is deleted ends at once', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  const done = progress('True', `key ${former} left the last pod 50s after it was revoked`)
  const [, second] = keys('Revoked', 'Current') ?? []
  await world.createAgent({}, { keyID: current, generations: keys('Retiring', 'Current') })
  expect((await runLedger(['agents', 'revoke', agent, former, '-y'])).code).toBe(0)
  await world.report({ keyID: current, generations: [second!], ...done })

  expect(await runLedger(['agents', 'revoke', agent, former, '-y', '--wait'])).toEqual({
    code: 0,
    stdout: [
      `${printName(agent)} was asked before to revoke key ${former}`,
      `${printName(agent)} has revoked key ${former}: key ${former} left the last pod 50s after it was revoked`,
      '',
    ].join('\n'),
    stderr: '',
  })
})
