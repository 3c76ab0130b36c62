import { isDeepStrictEqual } from 'node:util'
import { pathOf, type Sent } from '../../../src/kube/client.ts'
import type { WireRequest } from '../../../src/kube/port.ts'
import { apiVersionOf, type Kind } from '../../../src/pure/kind.ts'
import { ownedFieldsOf } from '../../../src/pure/managed-fields.ts'
import { type FieldSet, type KubeObject, type ObjectKey, preconditionOf } from '../../../src/pure/object.ts'
import { sharedConnection } from '../../kit/shared-control-plane.ts'

export interface Patch {
  readonly as: 'json-patch' | 'merge-patch' | 'apply-patch'
  readonly body: object
  readonly subresource?: 'scale' | 'status'
  readonly dryRun?: true
}

const contentTypes = {
  'json-patch': 'application/json-patch+json',
  'merge-patch': 'application/merge-patch+json',
  'apply-patch': 'application/apply-patch+yaml',
} as const

/** One patch in anybody's name, applies with force: the object after it, or the status of the refusal. */
export const patch = async (
  kind: Kind,
  key: ObjectKey,
  { as, body, subresource, dryRun }: Patch,
  manager: string,
): Promise<KubeObject | number> => {
  const request: WireRequest = {
    method: 'PATCH',
    path: [pathOf(kind, key), ...(subresource === undefined ? [] : [subresource])].join('/'),
    query: {
      fieldManager: manager,
      ...(as === 'apply-patch' ? { force: 'true' } : {}),
      ...(dryRun ? { dryRun: 'All' } : {}),
    },
    accept: 'application/json',
    contentType: contentTypes[as],
    body: JSON.stringify(as === 'apply-patch' ? { apiVersion: apiVersionOf(kind), kind: kind.kind, ...body } : body),
  }
  const reply = await sharedConnection().port.call(request, AbortSignal.timeout(30_000))
  return reply.status >= 300 ? reply.status : (JSON.parse(reply.body) as KubeObject)
}

/**
 * What a forced apply would change of the object: what it says, or which of its paths are ours. That the server would
 * refuse it is a change too: what we want is not what there is. 'moved' when somebody else was faster.
 */
export const changesOfApply = async (
  kind: Kind,
  live: KubeObject,
  sent: Sent,
  manager: string,
): Promise<readonly string[] | 'moved'> => {
  const body = { ...sent, metadata: { ...sent.metadata, ...preconditionOf(live) } }
  const applied = await patch(kind, live.metadata, { as: 'apply-patch', body, dryRun: true }, manager)
  if (applied === 409) return 'moved'
  if (typeof applied === 'number') return [`the server refuses it with ${applied}`]
  const before = ownedPaths(live, manager)
  const isSame = isDeepStrictEqual(withoutBookkeeping(applied), withoutBookkeeping(live))
  return [...(isSame ? [] : ['a value']), ...ownedPaths(applied, manager).filter((path) => !before.includes(path))]
}

const withoutBookkeeping = ({ metadata, ...rest }: KubeObject) => {
  const { managedFields: _entries, resourceVersion: _version, generation: _generation, ...told } = metadata
  return { ...rest, metadata: told }
}

const ownedPaths = ({ metadata }: KubeObject, manager: string): readonly string[] =>
  pathsIn(ownedFieldsOf(metadata.managedFields, manager))

const pathsIn = (set: FieldSet, above = ''): readonly string[] =>
  Object.entries(set).flatMap(([step, below]) => {
    if (step === '.') return [above]
    const path = `${above} ${step}`
    return Object.keys(below).length === 0 ? [path] : pathsIn(below, path)
  })
