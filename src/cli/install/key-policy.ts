import {
  agentNames,
  deleteAnnotation,
  keyIdAnnotation,
  currentSinceAnnotation,
  retiresAnnotation,
  revokedAnnotation,
  revokedKeysAnnotation,
} from '../../pure/names.ts'

const apiVersion = 'admissionregistration.k8s.io/v1'

const label = `'${agentNames.label}'`
const keyId = `'${keyIdAnnotation}'`
const deleteMark = `'${deleteAnnotation}'`
const retiresMark = `'${retiresAnnotation}'`
const currentMark = `'${currentSinceAnnotation}'`
const revokedMark = `'${revokedAnnotation}'`
const memoryMark = `'${revokedKeysAnnotation}'`

const before = 'oldObject.metadata'
const after = 'object.metadata'
/** The operator writes both at once, where a successor was taken back. */
const isUsedAnew = `(${currentMark} in ${after}.annotations && !(${currentMark} in ${before}.annotations && ${before}.annotations[${currentMark}] == ${after}.annotations[${currentMark}]))`
const printSecret = `'Secret ' + ${before}.namespace + '/' + ${before}.name + ' holds key ' + ${before}.annotations[${keyId}] + ' of agent ' + ${before}.labels[${label}]`

const howToDelete = `'kubectl annotate secret -n ' + ${before}.namespace + ' ' + ${before}.name + ' ${deleteAnnotation}=' + ${before}.annotations[${keyId}] + ', then delete it.'`

const seeAgent = `'its agent says which key is current: kubectl ledger agents get ' + ${before}.labels[${label}]`

/**
 * Keeps key generations in the operator's namespace from being lost by a slip of the hand, whoever's it is: a deleted
 * key cannot be made again. CEL does not see into a Secret's data, so a key is known by its marks, and these stay.
 */
export const renderKeyPolicy = (namespace: string) => {
  // The policy is cluster-scoped: that of another installation must have another name.
  const name = `holdfast-keys.${namespace}`
  return [
    { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec: policyFor(namespace) },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ]
}

const policyFor = (namespace: string) => ({
  failurePolicy: 'Fail',
  matchConstraints: {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['UPDATE', 'DELETE'] }],
  },
  // Of the old object: it alone is there on every delete, also when a whole collection goes.
  matchConditions: [
    {
      name: 'is-key-generation',
      expression: `${has(before, 'labels', label)} && ${has(before, 'annotations', keyId)}`,
    },
  ],
  validations: [
    refusal({
      unless: `request.operation != 'DELETE' || ${deleteMark} in ${before}.annotations && ${before}.annotations[${deleteMark}] == ${before}.annotations[${keyId}]`,
      says: `', and a deleted key cannot be made again. If you mean it: ' + ${howToDelete}`,
      inShort: `a key would be lost for good: annotate the Secret with ${deleteAnnotation}=KEY_ID if you mean it`,
    }),
    refusal({
      unless: `request.operation != 'UPDATE' || ${keeps('labels', label)} && ${keeps('annotations', keyId)}`,
      says: `'. Its label ${agentNames.label} and its annotation ${keyIdAnnotation} say so, and can neither be changed nor taken away. If the key shall go: ' + ${howToDelete}`,
      inShort: `the label ${agentNames.label} and the annotation ${keyIdAnnotation} of a key cannot be changed or taken away`,
    }),
    refusal({
      unless: `request.operation != 'UPDATE' || !(${revokedMark} in ${before}.annotations) || ${keeps('annotations', revokedMark)}`,
      says: `', and a revoked key stays revoked: its annotation ${revokedAnnotation} can neither be changed nor taken away; ' + ${seeAgent}`,
      inShort: `a revoked key stays revoked: the annotation ${revokedAnnotation} cannot be changed or taken away`,
    }),
    refusal({
      unless: `request.operation != 'UPDATE' || !(${memoryMark} in ${before}.annotations) || ${has(after, 'annotations', memoryMark)}`,
      says: `', and remembers which keys of the agent are revoked: its annotation ${revokedKeysAnnotation} cannot be removed; ' + ${seeAgent}`,
      inShort: `a key remembers which keys are revoked: the annotation ${revokedKeysAnnotation} cannot be removed`,
    }),
    refusal({
      unless: `request.operation != 'UPDATE' || !(${retiresMark} in ${before}.annotations) || ${has(after, 'annotations', retiresMark)} || ${isUsedAnew}`,
      says: `', and a key that retires does not come back by itself: its annotation ${retiresAnnotation} cannot be taken away unless ${currentSinceAnnotation} says that it is in use again; ' + ${seeAgent}`,
      inShort: `a key that retires does not come back by itself: the annotation ${retiresAnnotation} cannot be taken away`,
    }),
  ],
})

interface Refusal {
  readonly unless: string
  /** What follows on the name of the Secret; a CEL expression. */
  readonly says: string
  /** What is said when that cannot be computed. */
  readonly inShort: string
}

const refusal = ({ unless, says, inShort }: Refusal) => ({
  expression: unless,
  messageExpression: `${printSecret} + ${says}`,
  message: inShort,
  reason: 'Forbidden',
})

const has = (metadata: string, field: 'labels' | 'annotations', key: string): string =>
  `has(${metadata}.${field}) && ${key} in ${metadata}.${field}`

const keeps = (field: 'labels' | 'annotations', key: string): string =>
  `${has(after, field, key)} && ${after}.${field}[${key}] == ${before}.${field}[${key}]`
