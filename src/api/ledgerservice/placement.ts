import { z } from 'zod'
import { coreType, int32 } from '../define-kind.ts'
import type { Affinity, TopologySpreadConstraint } from './kubernetes.ts'
import { stringMap } from './string-map.ts'

const podAntiAffinity = z.object({
  enabled: z.boolean().default(true).describe('Whether replicas keep apart.'),
  type: z.enum(['soft', 'hard']).default('soft').describe('Whether they should keep apart (soft) or must (hard).'),
  weight: int32().min(1).max(100).default(100).describe('How much a soft wish counts against others.'),
  topologyKey: z
    .string()
    .default('kubernetes.io/hostname')
    .describe('Label of nodes by which two places count as the same.'),
})

/** Where pods may run. */
export const placementFields = {
  nodeSelector: stringMap('Labels that a node must have to run a replica.'),
  tolerations: z
    .array(coreType<object>('Toleration'))
    .optional()
    .describe('Taints of nodes that replicas put up with.'),
  affinity: coreType<Affinity>('Affinity').optional().describe('Nodes and pods that replicas seek or avoid.'),
  podAntiAffinity: podAntiAffinity.optional().describe('How replicas of this ledger keep apart from each other.'),
  topologySpreadConstraints: z
    .array(coreType<TopologySpreadConstraint>('TopologySpreadConstraint'))
    .optional()
    .describe('How evenly replicas spread over zones, nodes and the like.'),
}
