import { describe, expect, test } from 'vitest'
import { agentNames, currentSinceAnnotation, retiresAnnotation, revokedAnnotation } from '../../src/pure/names.ts'
import { aKey, keyIdOf } from '../fixtures/agent.ts'
import { runLedger } from './ledger-run.ts'
import { ledgerWorld, type Status } from './ledger-world.ts'

const text = (key: Readonly<Record<string, string>>, field: string): string =>
  Buffer.from(key[field] ?? '', 'base64').toString()

const seedOf = (key: Readonly<Record<string, string>>): string => text(key, 'seed.hex')

const getSeed = (agent: string, kubeconfig?: string) =>
  runLedger(['agents', 'get-key', agent, '--seed-only'], kubeconfig === undefined ? {} : { kubeconfig })

const printed = (seed: string) => ({ code: 0, stdout: seed, stderr: '' })

const retires = { [retiresAnnotation]: '2030-01-01T00:00:00Z' }
const revoked = { [revokedAnnotation]: '2030-01-01T00:00:00Z' }

const since = '2026-01-01T00:00:00Z'
const rotated: Status = {
  keyID: keyIdOf(aKey(2)),
  generations: [
    { generation: 1, keyID: keyIdOf(aKey(1)), state: 'Retiring', since },
    { generation: 2, keyID: keyIdOf(aKey(2)), state: 'Current', since },
  ],
}

describe('the key comes from the namespace of the operator that has claimed the agent', () => {
  test('KL-11 also while the agent is pending, and its status names neither key nor Secret', async () => {
    await using world = await ledgerWorld()
    await world.createAgent({}, { phase: 'Pending' })
    await world.createGeneration(1)

    expect(await getSeed(world.agent)).toEqual(printed(seedOf(aKey(1))))
  })

  test('KL-11 it is the generation that is in use, not one that retires, is revoked or is yet to be loaded', async () => {
    await using world = await ledgerWorld()
    await world.createAgent({}, { keyID: keyIdOf(aKey(3)) })
    await world.createGeneration(1, aKey(1), revoked)
    await world.createGeneration(2, aKey(2), retires)
    await world.createGeneration(3, aKey(3), { [currentSinceAnnotation]: since })
    await world.createGeneration(4)
    // A copy for tenants, which also lies there when the operator's namespace is one of the agent's.
    await world.createSecret('operator', agentNames.replica(world.agent), { data: aKey(9) })

    expect(await getSeed(world.agent)).toEqual(printed(seedOf(aKey(3))))
  })

  test('KL-11 two Secrets that say they are the same generation are refused', async () => {
    await using world = await ledgerWorld()
    await world.createAgent()
    await world.createGeneration(1)
    const annotations = { 'holdfast.dev/generation': '1' }
    const twin = agentNames.generation(world.agent, 2)
    await world.createSecret('operator', twin, { data: aKey(2), annotations })

    const { code, stdout, stderr } = await getSeed(world.agent)

    expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
    expect(stderr).toContain(`${agentNames.canonical(world.agent)} and ${twin} both say that they are the current key`)
  })

  test('KL-11 a Secret that somebody keeps under another name is none of the agent’s keys', async () => {
    await using world = await ledgerWorld()
    await world.createAgent()
    await world.createGeneration(1)
    const annotations = { 'holdfast.dev/generation': '1' }
    await world.createSecret('operator', 'backup', { data: aKey(2), annotations })

    expect(await getSeed(world.agent)).toMatchObject({ code: 0 })
  })

  test('KL-11 an agent without a key says so', async () => {
    await using world = await ledgerWorld()
    await world.createAgent({}, { phase: 'Pending' })

    expect(await getSeed(world.agent)).toEqual({
      code: 3,
      stdout: '',
      stderr: `kubectl-ledger: agent "${world.agent}" has no key yet: see why with: kubectl ledger agents get ${world.agent}\n`,
    })
  })

  test('KL-11 a key that is gone from there is not taken from a copy', async () => {
    await using world = await ledgerWorld()
    const { agent, refTo } = world
    await world.createAgent({}, { keyID: keyIdOf(aKey(1)), distributedSecretRefs: [refTo('first')] })
    await world.createSecret('first', agentNames.replica(agent))
    await world.createGeneration(1, aKey(1), revoked)

    const { code, stdout, stderr } = await getSeed(agent)

    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr).toContain(`key ${keyIdOf(aKey(1))} of agent "${agent}" is not in namespace`)
  })

  test('KL-12 who may not list Secrets there may read the first generation by its name', async () => {
    await using world = await ledgerWorld()
    const canonical = agentNames.canonical(world.agent)
    await world.createAgent()
    await world.createGeneration(1)
    const somebody = await world.somebody({ role: 'operator', verbs: ['get'], names: [canonical] })

    expect(await getSeed(world.agent, somebody)).toEqual(printed(seedOf(aKey(1))))
  })

  test('KL-12 and after a rotation the generation that the status calls current', async () => {
    await using world = await ledgerWorld()
    await world.createAgent({}, rotated)
    await world.createGeneration(1, aKey(1), retires)
    await world.createGeneration(2, aKey(2), { [currentSinceAnnotation]: since })
    const names = [agentNames.generation(world.agent, 2)]
    const somebody = await world.somebody({ role: 'operator', verbs: ['get'], names })

    expect(await getSeed(world.agent, somebody)).toEqual(printed(seedOf(aKey(2))))
  })
})

describe('who may not read there gets the key from a copy', () => {
  test('KL-13 the first that may be read and holds the key of the status', async () => {
    await using world = await ledgerWorld()
    const { agent, refTo } = world
    const distributedSecretRefs = [refTo('operator'), refTo('first'), refTo('second')]
    await world.createAgent({}, { keyID: keyIdOf(aKey(1)), distributedSecretRefs })
    await world.createGeneration(1)
    await world.createSecret('first', agentNames.replica(agent), { data: aKey(2) })
    await world.createSecret('second', agentNames.replica(agent))
    const tenants = ['first', 'second'].map((role) => ({ role, verbs: ['get'] as const }))
    const somebody = await world.somebody(...tenants)

    const { stdout } = await runLedger(['agents', 'get-key', agent], { kubeconfig: somebody })

    expect(stdout).toContain(`${world.home.named('second')}/${agentNames.replica(agent)}`)
    expect(await getSeed(agent, somebody)).toEqual(printed(seedOf(aKey(1))))
  })

  test('KL-13 also when the generation that they may read is not the current one', async () => {
    await using world = await ledgerWorld()
    const { agent, refTo } = world
    await world.createAgent({}, { keyID: keyIdOf(aKey(2)), distributedSecretRefs: [refTo('first')] })
    await world.createGeneration(1, aKey(1), retires)
    await world.createGeneration(2)
    await world.createSecret('first', agentNames.replica(agent), { data: aKey(2) })
    const names = [agentNames.canonical(agent)]
    const somebody = await world.somebody(
      { role: 'operator', verbs: ['get'], names },
      { role: 'first', verbs: ['get'] },
    )

    expect(await getSeed(agent, somebody)).toEqual(printed(seedOf(aKey(2))))
  })

  test.each<[when: string, status: Status, current: number]>([
    ['', { keyID: keyIdOf(aKey(1)) }, 1],
    [', also after a rotation', rotated, 2],
  ])('KL-13 who may read none of them is told which%s', async (_, status, current) => {
    await using world = await ledgerWorld()
    const { agent, home, refTo } = world
    await world.createAgent({}, { ...status, distributedSecretRefs: [refTo('first')] })
    await world.createGeneration(current)
    const somebody = await world.somebody()

    const { code, stdout, stderr } = await getSeed(agent, somebody)

    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    const places = [
      `${home.named('operator')}/${agentNames.generation(agent, current)}`,
      `${home.named('first')}/${agentNames.replica(agent)}`,
    ]
    expect(stderr).toBe(
      `kubectl-ledger: no Secret with the key of agent "${agent}" may be read: ask for the right to get one of ${places.join(', ')}\n`,
    )
  })

  test('KL-14 a copy that does not hold the key of the status is not handed out', async () => {
    await using world = await ledgerWorld()
    const { agent, refTo } = world
    await world.createAgent({}, { keyID: keyIdOf(aKey(1)), distributedSecretRefs: [refTo('first')] })
    await world.createSecret('first', agentNames.replica(agent), { data: aKey(2) })
    const somebody = await world.somebody({ role: 'first', verbs: ['get'] })

    const { code, stdout, stderr } = await getSeed(agent, somebody)

    expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
    expect(stderr).toContain(`holds key ${keyIdOf(aKey(2))}, but the key of agent "${agent}" is ${keyIdOf(aKey(1))}`)
    expect(stderr).not.toContain(seedOf(aKey(2)))
  })
})

describe('a key that is not what it should be is refused', () => {
  const other = keyIdOf(aKey(2))

  test.each<[what: string, data: Readonly<Record<string, string>>, keyID: string | undefined, why: string]>([
    ['its public key is another’s', { ...aKey(1), 'pubkey.hex': aKey(2)['pubkey.hex']! }, undefined, 'hold together'],
    ['it has no seed', { ...aKey(1), 'seed.hex': '' }, undefined, 'seed.hex is missing or empty'],
    ['the status names another', aKey(1), other, `is ${other}`],
  ])('KL-14 when %s', async (_, data, keyID, why) => {
    await using world = await ledgerWorld()
    await world.createAgent({}, keyID === undefined ? undefined : { keyID })
    await world.createGeneration(1, data)

    const { code, stdout, stderr } = await runLedger(['agents', 'get-key', world.agent, '--show-secret'])

    expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
    expect(stderr).toContain(why)
    expect(stderr).not.toContain(seedOf(aKey(1)))
  })

  test('KL-14 when it is marked as another', async () => {
    await using world = await ledgerWorld()
    await world.createAgent()
    await world.createGeneration(1, aKey(1), { 'holdfast.dev/key-id': other })

    expect((await getSeed(world.agent)).code).toBe(8)
  })
})

test('KL-18 a key is shown with its seed masked, unless --show-secret asks for it', async () => {
  await using world = await ledgerWorld()
  const key = aKey(1)
  await world.createAgent()
  await world.createGeneration(1)
  const show = (...flags: readonly string[]) => runLedger(['agents', 'get-key', world.agent, ...flags])
  const secret = `${world.home.named('operator')}/${agentNames.canonical(world.agent)}`
  const rows = (seed: string) =>
    [
      `Key ID      ${keyIdOf(key)}`,
      `Public Key  ${text(key, 'pubkey.hex')}`,
      `Seed        ${seed}`,
      `Secret      ${secret}`,
      '',
    ].join('\n')

  expect(await show()).toEqual(printed(rows('[secret]')))
  expect(await show('--show-secret')).toEqual(printed(rows(seedOf(key))))
  expect(JSON.parse((await show('-o', 'json')).stdout)).toMatchObject({ keyId: keyIdOf(key), seed: '[secret]' })
})
