import { expect, test } from 'vitest'
import { ownedFieldsOf, withEntriesApplied } from '../../src/pure/managed-fields.ts'
import { serviceNames, serviceSuccession } from '../../src/pure/names.ts'
import { type KubeObject, preconditionOf } from '../../src/pure/object.ts'
import { ownedPartOf } from '../../src/pure/owned-part.ts'
import { goldenWorkloads, kindOfGolden } from '../kit/golden-objects.ts'
import { ownNamespaces } from '../kit/namespaces.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'

const ofTeamA = goldenWorkloads.filter(({ metadata }) => metadata.namespace === 'team-a')

/** Without what every write changes, and without the server's books on who owns which list itself. */
const content = ({ metadata, ...rest }: KubeObject) => {
  const { resourceVersion: _, managedFields: __, ...others } = metadata
  return { ...rest, metadata: others }
}

test.for(ofTeamA.map((object) => ({ what: `${object.kind} ${object.metadata.name}`, object })))(
  'the owned part of a $what, applied, changes nothing',
  async ({ object }) => {
    await using home = await ownNamespaces('team')
    const { client } = sharedConnection()
    const kind = kindOfGolden(object)
    const key = { namespace: home.named('team'), name: object.metadata.name }
    const { managedFields, ...metadata } = object.metadata
    await home.user.as('ledger-operator').create(kind, { ...object, metadata: { ...metadata, ...key } })
    await home.user.as('ledger-operator').patch(kind, key, {
      metadata: { managedFields, labels: { 'example.com/other': 'mine' } },
    })
    await home.user.as('somebody').patch(kind, key, { metadata: { annotations: { 'example.com/note': 'theirs' } } })
    const left = (await client.get(kind, key))!
    const entries = withEntriesApplied(left.metadata.managedFields, { ...serviceSuccession, kind })
    await client.mark(kind, key, { on: preconditionOf(left), set: { managedFields: entries! } }, serviceNames.manager)

    const before = (await client.get(kind, key))!
    const part = ownedPartOf(before, ownedFieldsOf(before.metadata.managedFields, serviceNames.manager)) as KubeObject
    const sent = { ...part, metadata: { ...part.metadata, ...key } }
    const after = await client.apply(kind, { ...sent }, preconditionOf(before), serviceNames.manager)
    expect(content(after)).toEqual(content(before))
  },
)
