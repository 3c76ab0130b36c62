import { z } from 'zod'
import { coreType, int32 } from '../define-kind.ts'
import type { EnvVar, Probe, ResourceRequirements } from './kubernetes.ts'
import { stringMap } from './string-map.ts'

const image = z.object({
  repository: z.string().optional().describe('Where the image is kept, without a tag.'),
  tag: z.string().optional().describe('Which version of the image.'),
  pullPolicy: z.string().optional().describe('When a node fetches the image: Always, IfNotPresent or Never.'),
})

const serviceAccount = z.object({
  create: z.boolean().optional().describe('Whether a service account is made for the pods.'),
  annotations: stringMap('Annotations of the service account.'),
  name: z.string().optional().describe('Name of the service account that the pods run as.'),
})

const probe = (what: string) =>
  coreType<Probe>('Probe').optional().describe(`${what} Fields that are set here replace those of the default probe.`)

/** What a pod of the ledger is made of. */
export const podFields = {
  image: image.optional().describe('Image of the ledger.'),
  imagePullSecrets: z
    .array(coreType<object>('LocalObjectReference'))
    .optional()
    .describe('Secrets with which nodes fetch the image from a private registry.'),
  replicas: int32().min(1).default(3).describe('How many replicas agree on the ledger; must be odd.'),
  serviceAccount: serviceAccount.optional().describe('Account that the pods run as.'),
  podSecurityContext: coreType<object>('PodSecurityContext').optional().describe('Security settings of the whole pod.'),
  securityContext: coreType<object>('SecurityContext')
    .optional()
    .describe('Security settings of the ledger’s container.'),
  resources: coreType<ResourceRequirements>('ResourceRequirements')
    .optional()
    .describe('CPU and memory that a replica asks for and may use.'),
  goMemLimitRatio: int32()
    .min(0)
    .max(100)
    .optional()
    .describe('Share of the memory limit, in percent, at which the ledger begins to save memory; 90 when unset.'),
  extraEnv: z.array(coreType<EnvVar>('EnvVar')).optional().describe('Environment variables besides those that we set.'),
  podAnnotations: stringMap('Annotations of the pods.'),
  additionalLabels: stringMap('Labels of everything that is made for this ledger, besides ours.'),
  livenessProbe: probe('When a replica counts as dead and is started again.'),
  readinessProbe: probe('When a replica gets requests.'),
  startupProbe: probe('When a replica counts as started.'),
}
