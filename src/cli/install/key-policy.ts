import { agentNames, deleteAnnotation, keyIdAnnotation } from '../../pure/names.ts'

const apiVersion = 'admissionregistration.k8s.io/v1'

const label = `'${agentNames.label}'`
const keyId = `'${keyIdAnnotation}'`
const deleteMark = `'${deleteAnnotation}'`

const before = 'oldObject.metadata'
const after = 'object.metadata'
const printSecret = `'Secret ' + ${before}.namespace + '/' + ${before}.name + ' holds key ' + ${before}.annotations[${keyId}] + ' of agent ' + ${before}.labels[${label}]`

const howToDelete = `'kubectl annotate secret -n ' + ${before}.namespace + ' ' + ${before}.name + ' ${deleteAnnotation}=' + ${before}.annotations[${keyId}] + ', then delete it.'`

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
    {
      expression: `request.operation != 'DELETE' || ${deleteMark} in ${before}.annotations && ${before}.annotations[${deleteMark}] == ${before}.annotations[${keyId}]`,
      messageExpression: `${printSecret} + ', and a deleted key cannot be made again. If you mean it: ' + ${howToDelete}`,
      message: `a key would be lost for good: annotate the Secret with ${deleteAnnotation}=KEY_ID if you mean it`,
      reason: 'Forbidden',
    },
    {
      expression: `request.operation != 'UPDATE' || ${keeps('labels', label)} && ${keeps('annotations', keyId)}`,
      messageExpression: `${printSecret} + '. Its label ${agentNames.label} and its annotation ${keyIdAnnotation} say so, and can neither be changed nor taken away. If the key shall go: ' + ${howToDelete}`,
      message: `the label ${agentNames.label} and the annotation ${keyIdAnnotation} of a key cannot be changed or taken away`,
      reason: 'Forbidden',
    },
  ],
})

const has = (metadata: string, field: 'labels' | 'annotations', key: string): string =>
  `has(${metadata}.${field}) && ${key} in ${metadata}.${field}`

const keeps = (field: 'labels' | 'annotations', key: string): string =>
  `${has(after, field, key)} && ${after}.${field}[${key}] == ${before}.${field}[${key}]`
