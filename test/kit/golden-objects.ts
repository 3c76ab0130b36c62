import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import type { Client } from '../../src/kube/client.ts'
import type { Port } from '../../src/kube/port.ts'
import { ConfigMap, type Kind, Secret, Service, ServiceAccount, StatefulSet } from '../../src/pure/kind.ts'
import { deleteAnnotation, keyIdAnnotation } from '../../src/pure/names.ts'
import { keyOf, type ManagedFieldsEntry, type ObjectKey } from '../../src/pure/object.ts'
import fixture from '../fixtures/ledger-operator-objects.json' with { type: 'json' }
import workloads from '../fixtures/ledgerservice-workloads.json' with { type: 'json' }
import { User } from './user.ts'

/** An object of the former operator, as it was found. */
export interface GoldenObject {
  readonly kind: keyof typeof kinds
  readonly metadata: ObjectKey & { readonly uid?: string; readonly managedFields: readonly ManagedFieldsEntry[] }
  readonly status?: object
}

export const goldenObjects = fixture.items as readonly unknown[] as readonly GoldenObject[]

/** The objects as the former operator's released image wrote them: there its binary, and so its manager, is `operator`. */
export const asReleased = (objects: readonly GoldenObject[]): readonly GoldenObject[] =>
  objects.map(({ metadata, ...object }) => {
    const managedFields = metadata.managedFields.map((entry) =>
      entry.manager === 'ledger-operator' ? { ...entry, manager: 'operator' } : entry,
    )
    return { ...object, metadata: { ...metadata, managedFields } }
  })

/** What the services among them were made of. An address that was given to a Service there is not to be had here. */
export const goldenWorkloads = workloads.items.map(({ spec, ...item }) => {
  const { clusterIP, clusterIPs: _, ...rest } = { clusterIP: undefined, clusterIPs: undefined, ...spec }
  return { ...item, spec: clusterIP === 'None' ? { ...rest, clusterIP } : rest }
}) as readonly unknown[] as readonly GoldenObject[]

export const goldenNamespaces = [...new Set(goldenObjects.flatMap(({ metadata }) => metadata.namespace ?? []))]

const kinds = { LedgerClusterAgent, LedgerService, Secret, ConfigMap, StatefulSet, Service, ServiceAccount }

export const kindOfGolden = ({ kind }: GoldenObject): Kind => kinds[kind]

interface Connection {
  readonly port: Port
  readonly client: Client
}

/** Brings the objects into a cluster under their own names, each field under its own manager; returns them as they were sent. */
export const loadGolden = async (
  { port, client }: Connection,
  objects = goldenObjects,
): Promise<readonly GoldenObject[]> => {
  const user = new User(port)
  const loaded: GoldenObject[] = []
  const uids = new Map<string, string>()
  for (const golden of objects.toSorted(ownersFirst)) {
    // A uid is also in the managed fields of what it owns: k:{"uid":…}.
    const text = [...uids].reduce((json, [before, after]) => json.replaceAll(before, after), JSON.stringify(golden))
    const object = JSON.parse(text) as GoldenObject
    await create(user, object)
    loaded.push(object)
    const live = await client.get(kindOfGolden(object), object.metadata)
    if (object.metadata.uid !== undefined) uids.set(object.metadata.uid, live?.metadata.uid ?? '')
  }
  return loaded
}

const ownersFirst = (a: GoldenObject, b: GoldenObject): number =>
  Number(b.kind === 'LedgerService') - Number(a.kind === 'LedgerService')

const create = async (user: User, { status, ...object }: GoldenObject): Promise<void> => {
  const { managedFields, ...metadata } = object.metadata
  const managerOf = (part?: string) => managedFields.find(({ subresource }) => subresource === part)?.manager
  const kind = kindOfGolden(object)
  const owner = user.as(managerOf() ?? '')
  await owner.create(kind, { ...object, metadata })
  if (status !== undefined) await user.as(managerOf('status') ?? '').patchStatus(kind, metadata, { status })
  // The server knows only who sent the object: whose field is whose is told to it.
  await owner.patch(kind, metadata, { metadata: { managedFields } })
}

/** Takes everything away that the objects, and an operator, have brought into these namespaces. */
export const removeGolden = async ({ port, client }: Connection, namespaces: readonly string[]): Promise<void> => {
  const user = new User(port)
  for (const { metadata } of (await client.list(LedgerClusterAgent, {})).items) {
    await user.patch(LedgerClusterAgent, metadata, { metadata: { finalizers: [] } })
    await user.delete(LedgerClusterAgent, metadata)
  }
  for (const kind of [LedgerService, StatefulSet, Service, ServiceAccount, Secret, ConfigMap]) {
    const lists = await Promise.all(namespaces.map((namespace) => client.list(kind, { namespace })))
    for (const item of lists.flatMap(({ items }) => items)) {
      const keyId = item.metadata.annotations?.[keyIdAnnotation]
      const isMeant = { metadata: { annotations: { [deleteAnnotation]: keyId } } }
      if (keyId !== undefined) await user.patch(kind, keyOf(item), isMeant)
      await user.delete(kind, keyOf(item))
    }
  }
}
