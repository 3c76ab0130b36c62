import { expect, test } from 'vitest'
import { Namespace, Secret } from '../../src/pure/kind.ts'
import { agentNames } from '../../src/pure/names.ts'
import { printKey } from '../../src/pure/object.ts'
import { aKey } from '../fixtures/agent.ts'
import { aFormerSuite, createHolder } from '../kit/key-holder.ts'
import { createService, deleteService } from '../kit/services.ts'
import { aServedSuite, aSuite, type SecretObject, type Suite } from '../kit/suite.ts'
import { type Bundle, signToken, type TrustedKeys, verifyToken } from '../kit/token-verifier.ts'

const decoded = (base64 = ''): string => Buffer.from(base64, 'base64').toString()
const scopes = ['ledger:read', 'ledger:write']

/** An exported bundle, and a token that was signed with it at once. */
interface HandedOut {
  readonly bundle: Bundle
  readonly token: string
}

const handOut = (data: SecretObject['data'] = {}): HandedOut => {
  const signingKey = decoded(data['seed.hex'])
  const bundle = { signingKey, keyId: decoded(data['key-id']), scopes, subject: 'biller' }
  return { bundle, token: signToken(bundle) }
}

/** What a ledger server is given that is set up from this Secret. */
const trustIn = ({ data = {} }: SecretObject): TrustedKeys => ({
  authKeys: { keys: [{ keyId: decoded(data['key-id']), publicKeyFile: '/auth-keys/agent-biller-pubkey.hex', scopes }] },
  files: { 'agent-biller-pubkey.hex': decoded(data['pubkey.hex']) },
})

/** These are the agent's Secrets, and each makes a server that lets in the token of the beginning and one of now. */
const expectAccepted = async (
  suite: Suite,
  { bundle, token }: HandedOut,
  places: readonly { name: string }[],
): Promise<void> => {
  const secrets = await suite.secrets()
  expect(secrets.map(({ metadata }) => printKey(metadata)).sort()).toEqual(places.map(printKey).sort())
  for (const secret of secrets) {
    expect(verifyToken(token, trustIn(secret))).toEqual({ read: 200, write: 201 })
    expect(verifyToken(signToken(bundle, { scope: 'ledger:read' }), trustIn(secret))).toEqual({ read: 200, write: 403 })
  }
}

test('LCA-37 what was handed out verifies after its service was deleted and made again', async () => {
  await using suite = await aSuite(['a'])
  await createService(suite, 'a')
  await suite.start()
  await suite.createAgent([])
  await suite.settle()
  const before = await suite.canonical()
  const handedOut = handOut(before?.data)
  await expectAccepted(suite, handedOut, [suite.canonicalKey(), suite.replicaKey('a')])

  await deleteService(suite, 'a')
  await suite.settle()
  await expectAccepted(suite, handedOut, [suite.canonicalKey()])

  await createService(suite, 'a')
  await suite.settle()
  await expectAccepted(suite, handedOut, [suite.canonicalKey(), suite.replicaKey('a')])
  expect((await suite.replica('a'))?.data).toEqual(before?.data)
})

test('LCA-37 what was handed out verifies when the service came back in another namespace while no operator ran', async () => {
  await using suite = await aSuite(['a', 'b'])
  await createService(suite, 'a')
  await suite.start()
  await suite.createAgent([])
  await suite.settle()
  const handedOut = handOut((await suite.canonical())?.data)
  await suite.restart(async () => {
    await deleteService(suite, 'a')
    await createService(suite, 'b')
  })
  await expectAccepted(suite, handedOut, [suite.canonicalKey(), suite.replicaKey('b')])
})

test('LCA-5 what was handed out verifies through restarts, lost copies and a lost canonical Secret', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  const everywhere = [suite.canonicalKey(), suite.replicaKey('a'), suite.replicaKey('b')]
  const handedOut = handOut((await suite.canonical())?.data)
  await suite.restart()
  await expectAccepted(suite, handedOut, everywhere)
  await suite.restart(() => suite.user.delete(Secret, suite.replicaKey('a')))
  await expectAccepted(suite, handedOut, everywhere)
  await suite.restart(() => suite.deleteCanonical())
  await expectAccepted(suite, handedOut, everywhere)
  await suite.restart(() => suite.target([]))
  await expectAccepted(suite, handedOut, [suite.canonicalKey()])
  await suite.restart(() => suite.target(['a', 'b']))
  await expectAccepted(suite, handedOut, everywhere)
})

test('LCA-5 what was handed out verifies when the only namespace of the agent is deleted and made again', async () => {
  await using suite = await aServedSuite(['a'])
  const handedOut = handOut((await suite.canonical())?.data)
  await suite.user.delete(Secret, suite.replicaKey('a'))
  await suite.user.delete(Namespace, { name: suite.named('a') })
  await suite.user.finalizeNamespace(suite.named('a'))
  await suite.settle()
  await suite.createNamespaces('a')
  await suite.settle()
  await expectAccepted(suite, handedOut, [suite.canonicalKey(), suite.replicaKey('a')])
})

test('LCA-40 what was handed out before there were canonical Secrets verifies after the upgrade', async () => {
  const holders = ['a', 'b'].map((role) => ({ role, seed: 3 }))
  await using suite = await aFormerSuite({ roles: ['a', 'b', 'c'], targets: ['a', 'b', 'c'], holders })
  const handedOut = handOut(aKey(3))
  await expectAccepted(suite, handedOut, [suite.replicaKey('a'), suite.replicaKey('b')])
  await suite.start()
  await suite.settle()
  const targets = ['a', 'b', 'c'].map((role) => suite.replicaKey(role))
  await expectAccepted(suite, handedOut, [suite.canonicalKey(), ...targets])
  await suite.restart()
  await expectAccepted(suite, handedOut, [suite.canonicalKey(), ...targets])
})

test('LCA-40 what was handed out verifies after an upgrade with no target left, and when one comes back', async () => {
  const holder = { role: 'a', seed: 3, name: agentNames.earlyReplica }
  await using suite = await aFormerSuite({ roles: ['a', 'b'], targets: [], holders: [holder] })
  const handedOut = handOut(aKey(3))
  await suite.start()
  await suite.settle()
  await expectAccepted(suite, handedOut, [suite.canonicalKey()])
  await suite.restart(() => suite.target(['b']))
  await expectAccepted(suite, handedOut, [suite.canonicalKey(), suite.replicaKey('b')])
})

test('LCA-46 what a tenant signs with a key that it has planted is refused', async () => {
  await using suite = await aSuite(['a', 'b'])
  await createHolder(suite, { role: 'a', seed: 66, writer: 'tenant' })
  await suite.start()
  await suite.createAgent(['b'])
  await suite.settle()
  const { token } = handOut(aKey(66))
  const servers = [await suite.canonical(), await suite.replica('b')]
  for (const server of servers) expect(verifyToken(token, trustIn(server as SecretObject)).read).toBe(401)
})
