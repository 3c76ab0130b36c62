import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderKeyPolicy } from '../../src/cli/install/key-policy.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { Secret } from '../../src/pure/kind.ts'
import {
  agentNames,
  deleteAnnotation,
  keyIdAnnotation,
  currentSinceAnnotation,
  retiresAnnotation,
  revokedAnnotation,
  revokedKeysAnnotation,
} from '../../src/pure/names.ts'
import { dryRun } from '../kit/api-server.ts'
import { ownNamespaces } from '../kit/namespaces.ts'

// Everything here is done as cluster admin: the policy holds for everyone.
const keyId = '52dbbf581fe79423'
const label = agentNames.label

type Home = Awaited<ReturnType<typeof ownNamespaces>>
let home: Home
let namespace: string

const pathOf = (name: string) => `/api/v1/namespaces/${namespace}/secrets/${name}`

const createSecret = async (name: string, metadata: object, where = namespace): Promise<void> =>
  home.user.create(Secret, { metadata: { namespace: where, name, ...metadata }, immutable: true })

const createKey = (name: string, annotations: object = {}): Promise<void> =>
  createSecret(name, { labels: { [label]: 'biller' }, annotations: { [keyIdAnnotation]: keyId, ...annotations } })

const change = (name: string, metadata: object) => home.api.patch(pathOf(name), { metadata })

beforeAll(async () => {
  home = await ownNamespaces('operator', 'tenant')
  namespace = home.named('operator')
  await createKey('probe')
  await home.api.mustApply(renderKeyPolicy(namespace))
  await eventually('the policy is in force', async () => {
    const { status } = await home.api.delete(pathOf('probe'), dryRun)
    return status === 403
  })
})

afterAll(async () => {
  for (const object of renderKeyPolicy(namespace).toReversed()) await home.api.delete(await home.api.pathOf(object))
  await eventually('the policy is gone', async () => {
    const { status } = await home.api.delete(pathOf('probe'))
    return status < 300
  })
  await home[Symbol.asyncDispose]()
})

describe('a key generation cannot be deleted', () => {
  test('by name; the refusal says what would be lost, and what to run if it is meant', async () => {
    await createKey('by-name')

    const { status, body } = await home.api.delete(pathOf('by-name'))

    expect(status).toBe(403)
    expect(body.message).toContain(`Secret ${namespace}/by-name holds key ${keyId} of agent biller`)
    expect(body.message).toContain(`kubectl annotate secret -n ${namespace} by-name ${deleteAnnotation}=${keyId}`)
    expect((await home.api.get(pathOf('by-name'))).status).toBe(200)
  })

  test('together with all other Secrets of the namespace', async () => {
    await createKey('in-collection')

    const { status } = await home.api.delete(`/api/v1/namespaces/${namespace}/secrets`, {
      fieldSelector: 'metadata.name=in-collection',
    })

    expect(status).toBe(403)
    expect((await home.api.get(pathOf('in-collection'))).status).toBe(200)
  })

  test('by a mark that names another key, or none', async () => {
    await createKey('another', { [deleteAnnotation]: 'fb3ca19ac2ae2a9c' })
    await createKey('none', { [deleteAnnotation]: '' })
    await createSecret('without-id', { labels: { [label]: 'biller' }, annotations: { [keyIdAnnotation]: '' } })

    for (const name of ['another', 'none', 'without-id']) expect((await home.api.delete(pathOf(name))).status).toBe(403)
  })
})

describe('the marks of a key generation stay', () => {
  const marks: readonly [what: string, name: string, metadata: object][] = [
    ['its label cannot be taken away', 'label-gone', { labels: { [label]: null } }],
    ['its labels cannot be taken away', 'labels-gone', { labels: null }],
    ['its label cannot be changed', 'label-changed', { labels: { [label]: 'other' } }],
    ['its key id cannot be taken away', 'id-gone', { annotations: { [keyIdAnnotation]: null } }],
    ['its annotations cannot be taken away', 'annotations-gone', { annotations: null }],
    ['its key id cannot be changed', 'id-changed', { annotations: { [keyIdAnnotation]: 'fb3ca19ac2ae2a9c' } }],
  ]

  test.each(marks)('%s', async (_, name, metadata) => {
    await createKey(name)

    const { status, body } = await change(name, metadata)

    expect(status).toBe(403)
    expect(body.message).toContain(`Secret ${namespace}/${name} holds key ${keyId} of agent biller`)
    expect((await home.api.get(pathOf(name))).body['metadata']).toMatchObject({
      labels: { [label]: 'biller' },
      annotations: { [keyIdAnnotation]: keyId },
    })
  })

  test('even when its deletion is meant', async () => {
    await createKey('meant', { [deleteAnnotation]: keyId })

    expect((await change('meant', { annotations: { [keyIdAnnotation]: null } })).status).toBe(403)
    expect((await change('meant', { labels: { [label]: null } })).status).toBe(403)
  })
})

describe('what was decided on a key generation stays', () => {
  const revoked = { [revokedAnnotation]: '2026-11-15T12:00:00.000Z' }
  const retiring = { [retiresAnnotation]: '2026-11-22T12:00:00.000Z' }
  const remembering = { [revokedKeysAnnotation]: '[{"keyId":"fb3ca19ac2ae2a9c"}]' }

  test.each([
    {
      what: 'its memory of revoked keys',
      name: 'memory-gone',
      marks: remembering,
      annotations: { [revokedKeysAnnotation]: null },
      says: `remembers which keys of the agent are revoked: its annotation ${revokedKeysAnnotation} cannot be removed`,
    },
    {
      what: 'its revocation',
      name: 'revocation-gone',
      marks: revoked,
      annotations: { [revokedAnnotation]: null },
      says: 'a revoked key stays revoked',
    },
    {
      what: 'the time of its revocation',
      name: 'revocation-moved',
      marks: revoked,
      annotations: { [revokedAnnotation]: '2026-11-16T12:00:00.000Z' },
      says: 'a revoked key stays revoked',
    },
    {
      what: 'that it retires',
      name: 'retirement-gone',
      marks: retiring,
      annotations: { [retiresAnnotation]: null },
      says: 'a key that retires does not come back by itself',
    },
  ])('$what', async ({ name, marks, annotations, says }) => {
    await createKey(name, marks)

    const { status, body } = await change(name, { annotations })

    expect(status).toBe(403)
    expect(body.message).toContain(`Secret ${namespace}/${name} holds key ${keyId} of agent biller`)
    expect(body.message).toContain(says)
    expect(body.message).toContain('kubectl ledger agents get biller')
    expect((await home.api.get(pathOf(name))).body['metadata']).toMatchObject({ annotations: marks })
  })

  test('also when all marks are taken away together, or the deletion is meant', async () => {
    await createKey('revoked-bare', revoked)
    await createKey('revoked-meant', { ...revoked, [deleteAnnotation]: keyId })

    expect((await change('revoked-bare', { annotations: null })).status).toBe(403)
    expect((await change('revoked-meant', { annotations: { [revokedAnnotation]: null } })).status).toBe(403)
  })
})

describe('what the policy lets pass', () => {
  test('a key may retire at another time, be revoked, and go after that', async () => {
    await createKey('leaving')
    const mark = async (annotations: object) => (await change('leaving', { annotations })).status

    expect(await mark({ [retiresAnnotation]: '2026-11-22T12:00:00.000Z' })).toBe(200)
    expect(await mark({ [retiresAnnotation]: '2026-12-22T12:00:00.000Z' })).toBe(200)
    const again = { [retiresAnnotation]: null, [currentSinceAnnotation]: '2026-12-01T12:00:00Z' }
    expect(await mark(again)).toBe(200)
    expect(await mark({ [revokedAnnotation]: '2026-11-15T12:00:00.000Z' })).toBe(200)
    expect(await mark({ note: 'leaked' })).toBe(200)
    expect(await mark({ [revokedKeysAnnotation]: '[{"keyId":"fb3ca19ac2ae2a9c"}]' })).toBe(200)
    expect(await mark({ [revokedKeysAnnotation]: '[]' })).toBe(200)
    expect(await mark({ [deleteAnnotation]: keyId })).toBe(200)
    expect((await home.api.delete(pathOf('leaving'))).status).toBe(200)
  })

  test('a key goes once the mark names it', async () => {
    await createKey('marked')

    expect((await change('marked', { annotations: { [deleteAnnotation]: keyId } })).status).toBe(200)
    expect((await home.api.delete(pathOf('marked'))).status).toBe(200)
  })

  test('other labels and annotations of a key may change', async () => {
    await createKey('edited')

    expect((await change('edited', { labels: { team: 'a' }, annotations: { note: 'b' } })).status).toBe(200)
    expect((await change('edited', { labels: { team: null }, annotations: { note: null } })).status).toBe(200)
  })

  test('other Secrets of the namespace go as they please', async () => {
    await createSecret('copy', { labels: { [label]: 'biller' } })
    await createSecret('plain', {})

    expect((await change('copy', { labels: { [label]: null } })).status).toBe(200)
    expect((await home.api.delete(pathOf('copy'))).status).toBe(200)
    expect((await home.api.delete(pathOf('plain'))).status).toBe(200)
  })

  test('Secrets of other namespaces go as they please', async () => {
    const tenant = home.named('tenant')
    const marks = { labels: { [label]: 'biller' }, annotations: { [keyIdAnnotation]: keyId } }
    await createSecret('elsewhere', marks, tenant)

    expect((await home.api.delete(`/api/v1/namespaces/${tenant}/secrets/elsewhere`)).status).toBe(200)
  })
})
