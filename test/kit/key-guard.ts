import { renderKeyPolicy } from '../../src/cli/install/key-policy.ts'
import { eventually } from '../../src/dev/eventually.ts'
import type { Client } from '../../src/kube/client.ts'
import type { Port } from '../../src/kube/port.ts'
import { type Kind, Namespace, Secret } from '../../src/pure/kind.ts'
import { agentNames, deleteAnnotation, keyIdAnnotation } from '../../src/pure/names.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { User } from './user.ts'

/** On a namespace whose keys the admission policy of an installation guards. */
export const guardedLabel = { 'test.holdfast.dev/guarded': 'true' }

const kindOf = ({ kind }: { readonly kind: string }): Kind => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind,
  plural: kind === 'ValidatingAdmissionPolicy' ? 'validatingadmissionpolicies' : 'validatingadmissionpolicybindings',
  namespaced: false,
})

/** Installs the policy once, for all namespaces that carry the label, and waits until it is in force. */
export const installKeyGuard = async (port: Port, client: Client): Promise<void> => {
  const user = new User(port)
  for (const { apiVersion: _, ...object } of renderKeyPolicy('guarded-in-tests')) {
    const { spec } = object
    const guarding = 'matchConstraints' in spec ? withSelector(spec) : spec
    await user.create(kindOf(object), { ...object, spec: guarding })
  }
  const probe = { namespace: 'guard-probe', name: 'probe' }
  await user.create(Namespace, { metadata: { name: probe.namespace, labels: guardedLabel } })
  const labels = { [agentNames.label]: 'probe' }
  await user.create(Secret, { metadata: { ...probe, labels, annotations: { [keyIdAnnotation]: '0' } } })
  await eventually('the policy is in force', async () => {
    const secret = await client.get(Secret, probe)
    if (secret === undefined)
      await user.create(Secret, { metadata: { ...probe, labels, annotations: { [keyIdAnnotation]: '0' } } })
    return user.delete(Secret, probe).then(
      () => false,
      () => true,
    )
  })
  await deleteMeant(user, (await client.get(Secret, probe))!)
  await user.delete(Namespace, { name: probe.namespace })
  await user.finalizeNamespace(probe.namespace)
}

const withSelector = <T extends { readonly matchConstraints: object }>(spec: T): T => ({
  ...spec,
  matchConstraints: { ...spec.matchConstraints, namespaceSelector: { matchLabels: guardedLabel } },
})

/** Marks a key so that the policy lets it go. */
export const condemn = (user: User, { metadata }: KubeObject): Promise<void> => {
  const keyId = metadata.annotations?.[keyIdAnnotation]
  return user.patch(Secret, metadata, { metadata: { annotations: { [deleteAnnotation]: keyId ?? null } } })
}

/** Deletes a Secret as somebody does who means it. */
export const deleteMeant = async (user: User, secret: KubeObject): Promise<void> => {
  if (secret.metadata.annotations?.[keyIdAnnotation] !== undefined) await condemn(user, secret)
  await user.delete(Secret, secret.metadata)
}
