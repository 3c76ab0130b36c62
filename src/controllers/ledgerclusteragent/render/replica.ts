import { agentKeyFields } from '../../../pure/agent-key.ts'
import type { Desired, SecretValueRef } from '../../../pure/effects.ts'
import { agentNames } from '../../../pure/names.ts'
import { keyOf, preconditionOf } from '../../../pure/object.ts'
import type { Sound } from '../ownership.ts'

/** The copy of an agent's key in one namespace. */
export const renderReplica = (agent: string, namespace: string, canonical: Sound): Desired => ({
  metadata: { namespace, name: agentNames.replica(agent), labels: { [agentNames.label]: agent } },
  type: 'Opaque',
  data: keyDataFrom(canonical),
})

/** References to all values of a key, wherever it is held. */
export const keyDataFrom = ({ secret, key }: Sound): Readonly<Record<string, SecretValueRef>> => {
  const from = { ...keyOf(secret), ...preconditionOf(secret) }
  return Object.fromEntries(
    agentKeyFields.map((field) => [field, { from, field, fingerprint: key.fingerprints[field] }]),
  )
}
