import { expect, test } from 'vitest'
import { Namespace, Secret } from '../../src/pure/kind.ts'
import { agentNames } from '../../src/pure/names.ts'
import { seconds } from '../../src/pure/duration.ts'
import { aKey } from '../fixtures/agent.ts'
import { aSuite, type SecretObject, type Suite } from '../kit/suite.ts'

/** Every spelling in which a value could slip out. */
const spellingsOf = (value: string): readonly string[] => {
  const bytes = Buffer.from(value, 'hex')
  return [
    value,
    Buffer.from(value).toString('base64'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('latin1'),
  ]
}

const withoutData = ({ data: _data, ...rest }: SecretObject): object => rest

/** All that anybody who may not read Secrets could see, and all metadata of the Secrets. */
const everythingElse = async (suite: Suite): Promise<string> =>
  JSON.stringify([
    suite.logs,
    await suite.agent(),
    (await suite.secrets()).map(withoutData),
    await Promise.all(['a', 'b', 'operator'].map((role) => suite.client.get(Namespace, { name: suite.named(role) }))),
  ])

test('LCA-25 no value of a key is anywhere but in the data of its Secrets, whatever happens', async () => {
  let isRefusing = false
  await using suite = await aSuite(['a', 'b'], {
    gate: {
      // A server that quotes what was sent, as admission webhooks do.
      onCall: ({ body = '' }, { verb, plural }) =>
        isRefusing && plural === 'secrets' && (verb === 'create' || verb === 'apply')
          ? async () => ({
              status: 422,
              retryAfter: undefined,
              body: JSON.stringify({ reason: 'Invalid', message: body }),
            })
          : undefined,
    },
  })
  await suite.start()
  await suite.createAgent(['a', 'b'])
  await suite.settle()
  const canonical = await suite.canonical()
  const seed = Buffer.from(canonical?.data?.['seed.hex'] ?? '', 'base64').toString()
  const planted = Buffer.from(aKey(9)['seed.hex'] ?? '', 'base64').toString()
  const seen = [await everythingElse(suite)]

  isRefusing = true
  await suite.user.delete(Secret, suite.replicaKey('a'))
  await suite.idle()
  expect(await suite.condition()).toMatchObject({ reason: 'WriteFailed' })
  seen.push(await everythingElse(suite))

  isRefusing = false
  suite.clock.turn(seconds(10))
  await suite.restart(async () => {
    await suite.deleteCanonical()
    const labels = { [agentNames.label]: suite.agentName }
    await suite.user.create(Secret, { metadata: { ...suite.canonicalKey(), labels }, data: aKey(9) })
  })
  expect(await suite.condition()).toMatchObject({ reason: 'CanonicalInvalid' })
  seen.push(await everythingElse(suite))

  await suite.deleteCanonical()
  await suite.settle()
  await suite.deleteAgent()
  await suite.settle()
  seen.push(await everythingElse(suite))

  expect(seed).toHaveLength(64)
  for (const text of seen) {
    for (const spelling of [seed, planted].flatMap(spellingsOf)) expect(text).not.toContain(spelling)
    expect(text).not.toContain(canonical?.data?.['pubkey.hex'])
  }
})
