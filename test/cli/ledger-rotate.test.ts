import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { rotateAnnotation } from '../../src/pure/names.ts'
import { followLedger, onTerminal, runLedger } from './ledger-run.ts'
import { ledgerWorld, type Status } from './ledger-world.ts'

const former = '1111111111111111'
const next = '2222222222222222'
const retiresAt = '2030-01-01T00:00:00Z'

const waiting = {
  type: 'RotationComplete',
  status: 'False',
  reason: 'RotationWaiting',
  message: `team-b/books has not loaded key ${next}`,
  lastTransitionTime: '2020-01-01T00:00:00Z',
} as const

const standing: Status = { keyID: former, generations: [{ generation: 1, keyID: former, state: 'Current' }] }
const minted: Status = {
  keyID: former,
  generations: [
    { generation: 1, keyID: former, state: 'Current' },
    { generation: 2, keyID: next, state: 'Minted' },
  ],
  conditions: [waiting],
}
const rotated: Status = {
  keyID: next,
  generations: [
    { generation: 1, keyID: former, state: 'Retiring', retiresAt },
    { generation: 2, keyID: next, state: 'Current' },
  ],
  conditions: [{ ...waiting, message: 'the former key retires' }],
}
const printName = (name: string) => `ledgerclusteragent.ledger.formance.com/${name}`

test('KL-21 rotate asks with a new value each time, and changes nothing else', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  await world.createAgent({}, standing)
  const before = await world.client.get<LedgerClusterAgent>(LedgerClusterAgent, { name: agent })

  const { code, stdout, stderr } = await runLedger(['agents', 'rotate', agent, '--yes'])

  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `${printName(agent)} is asked to rotate its key\n`,
    stderr: `see how far it is with: kubectl ledger agents get ${agent}\n`,
  })
  const after = await world.client.get<LedgerClusterAgent>(LedgerClusterAgent, { name: agent })
  const request = after?.metadata.annotations?.[rotateAnnotation]
  expect(request).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z-[0-9a-f]{6}$/)
  expect(after?.metadata.annotations).toEqual({ ...before?.metadata.annotations, [rotateAnnotation]: request })
  expect({ spec: after?.spec, status: after?.status }).toEqual({ spec: before?.spec, status: before?.status })

  await runLedger(['agents', 'rotate', agent, '-y'])
  expect(await world.annotation(rotateAnnotation)).not.toBe(request)
})

test('KL-21 an agent whose operator has written meanwhile is asked all the same, another of its name is not', async () => {
  await using world = await ledgerWorld()
  const { agent, home } = world
  await world.createAgent({}, standing)

  using terminal = onTerminal(['agents', 'rotate', agent])
  await terminal.until('[y/N]')
  await world.report({ phase: 'Ready' })
  terminal.type('y\n')
  expect((await terminal.end()).code).toBe(0)
  expect(await world.annotation(rotateAnnotation)).toBeDefined()

  using other = onTerminal(['agents', 'rotate', agent])
  await other.until('[y/N]')
  await home.user.delete(LedgerClusterAgent, { name: agent })
  await world.createAgent()
  other.type('y\n')
  const { code, shown } = await other.end()
  expect(code).toBe(9)
  expect(shown).toContain(`agent "${agent}" is not the one any more that was shown`)
  expect(await world.annotation(rotateAnnotation)).toBeUndefined()
})

test('KL-9, KL-22 rotate says what will happen, and does nothing unless the answer is yes', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  const matchedServices = [
    { namespace: 'team-a', name: 'books' },
    { namespace: 'team-b', name: 'books' },
  ]
  await world.createAgent({ rotation: { overlap: '36h' } }, { ...standing, matchedServices })

  using terminal = onTerminal(['agents', 'rotate', agent])
  await terminal.until('[y/N]')
  terminal.type('n\n')
  const { code, shown } = await terminal.end()

  expect(code).toBe(1)
  expect(shown).toContain(
    `Rotate the key of agent "${agent}", now ${former}? 2 services (team-a/books, team-b/books) must load a new key before it is used, and restart their pods for it; the former one is accepted for 36h from then on. [y/N]`,
  )
  expect(await world.annotation(rotateAnnotation)).toBeUndefined()
})

test('KL-22 of a rotation that is under way, rotate asks whether another one shall follow', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  await world.createAgent({}, minted)
  const underWay = `a rotation of agent "${agent}" is under way: team-b/books has not loaded key ${next}`

  using terminal = onTerminal(['agents', 'rotate', agent])
  await terminal.until('[y/N]')
  terminal.type('\n')
  const { shown } = await terminal.end()
  expect(shown).toContain(`${underWay}. The key is ${former} now.`)
  expect(shown).toContain('accepted for 7d from then on. Shall another rotation follow this one? [y/N]')
  expect(await world.annotation(rotateAnnotation)).toBeUndefined()

  await world.report({ conditions: [] })
  const { code, stderr } = await runLedger(['agents', 'rotate', agent, '--yes'])
  expect(code).toBe(0)
  expect(stderr).toContain(`is under way: key ${next} is made and not used yet; another one follows\n`)
  expect(await world.annotation(rotateAnnotation)).toBeDefined()
})

test('KL-25 rotate --wait says what it waits for, and ends when the new key is current', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  await world.createAgent({}, standing)

  using following = followLedger(['agents', 'rotate', agent, '-y', '--wait'])
  await eventually('it is asked for', () => world.annotation(rotateAnnotation))
  await following.until(() => following.notes.includes('its operator has not begun yet'))
  await world.report(minted)
  await following.until(() => following.notes.includes(`RotationWaiting: ${waiting.message}`))
  await world.report(rotated)

  expect((await following.end()).code).toBe(0)
  expect(following.notes).toHaveLength(2)
  expect(following.lines.at(-1)).toBe(
    `${printName(agent)} has key ${next} now; ${former} is accepted until ${retiresAt}`,
  )
})

test('KL-25 rotate --wait does not take a rotation that was under way for its own', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  await world.createAgent({}, minted)

  using following = followLedger(['agents', 'rotate', agent, '-y', '--wait'])
  await eventually('it is asked for', () => world.annotation(rotateAnnotation))
  await world.report(rotated)
  await following.until(() => following.notes.includes('RotationWaiting: the former key retires'))
  await world.report({ keyID: '3333333333333333' })

  expect((await following.end()).code).toBe(0)
  expect(following.lines.at(-1)).toContain('has key 3333333333333333 now')
})

test('KL-26 a rotation that does not come to its end in time says what it waits for, and goes on', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  await world.createAgent({}, minted)

  const { code, stderr } = await runLedger(['agents', 'rotate', agent, '-y', '--wait', '--timeout', '1s'])

  expect(code).toBe(3)
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(
    `kubectl-ledger: after 1s, agent "${agent}" is not done (RotationWaiting: ${waiting.message}); it goes on by itself: see how far it is with: kubectl ledger agents get ${agent}`,
  )
  expect(await world.annotation(rotateAnnotation)).toBeDefined()
})

test('KL-26 who is interrupted, or whose agent goes, does not learn that it is done', async () => {
  await using world = await ledgerWorld()
  const { agent, home } = world
  const paused = { ...waiting, type: 'Paused', status: 'True', reason: 'PausedByAnnotation', message: 'held' } as const
  await world.createAgent({}, { ...minted, conditions: [waiting, paused] })

  using interrupted = followLedger(['agents', 'rotate', agent, '-y', '--wait'])
  await interrupted.until(() => interrupted.notes.includes('PausedByAnnotation: held'))
  const { code, stderr } = await interrupted.interrupt()
  expect(code).toBe(1)
  expect(stderr).toContain(`nobody waits for agent "${agent}" any more; it goes on by itself`)

  using bereft = followLedger(['agents', 'rotate', agent, '-y', '--wait'])
  await bereft.until(() => bereft.notes.includes('PausedByAnnotation: held'))
  await world.report({ conditions: [waiting] })
  await bereft.until(() => bereft.notes.includes(`RotationWaiting: ${waiting.message}`))
  await home.user.delete(LedgerClusterAgent, { name: agent })
  const end = await bereft.end()
  expect(end.code).toBe(4)
  expect(end.stderr).toContain(`agent "${agent}" was deleted meanwhile`)
})

test('KL-21 an agent without a key, and one that is being deleted, is left alone', async () => {
  await using world = await ledgerWorld()
  const { agent, home } = world
  await world.createAgent()

  const early = await runLedger(['agents', 'rotate', agent, '-y'])
  expect(early.code).toBe(3)
  expect(early.stderr).toContain(`agent "${agent}" has no key yet`)

  await world.report(standing)
  await home.user.patch(LedgerClusterAgent, { name: agent }, { metadata: { finalizers: ['example.com/held'] } })
  await home.user.delete(LedgerClusterAgent, { name: agent })
  const late = await runLedger(['agents', 'rotate', agent, '-y'])
  expect(late.code).toBe(4)
  expect(late.stderr).toContain(`agent "${agent}" is being deleted, and its keys go with it`)
  expect(await world.annotation(rotateAnnotation)).toBeUndefined()
  await home.user.patch(LedgerClusterAgent, { name: agent }, { metadata: { finalizers: [] } })
})
