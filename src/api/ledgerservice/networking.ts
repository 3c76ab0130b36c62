import { z } from 'zod'
import { coreType, int32, ruled } from '../define-kind.ts'
import { ingressFields, withHosts } from './ingress.ts'
import { stringMap } from './string-map.ts'

const service = z.object({
  type: z.string().default('ClusterIP').describe('How far the Service reaches: ClusterIP, NodePort or LoadBalancer.'),
  httpPort: int32().default(9000).describe('Port of the Service for HTTP.'),
  grpcPort: int32().default(8888).describe('Port of the Service for gRPC.'),
  raftPort: int32().default(7777).describe('Port on which replicas reach each other.'),
  annotations: stringMap('Annotations of the Service.'),
})

const headlessService = z.object({
  enabled: z.boolean().default(true).describe('Whether each replica has a name of its own.'),
  annotations: stringMap('Annotations of the headless Service.'),
})

const networkPolicy = z.object({
  enabled: z.boolean().optional().describe('Whether a NetworkPolicy limits who speaks with the replicas.'),
  externalCIDRExcept: z.array(z.string()).optional().describe('Address ranges outside that replicas may not reach.'),
  additionalEgress: z
    .array(coreType('NetworkPolicyEgressRule'))
    .optional()
    .describe('What replicas may reach besides.'),
})

const providerSpecific = z.object({
  name: z.string().describe('Name of the setting.'),
  value: z.string().describe('Value of the setting.'),
})

const endpoint = z.object({
  dnsName: z.string().describe('Name that is published.'),
  recordType: z.string().optional().describe('Type of the record, such as A or CNAME.'),
  targets: z.array(z.string()).describe('What the name leads to.'),
  recordTTL: z.int().optional().describe('How long others may remember the record, in seconds.'),
  providerSpecific: z.array(providerSpecific).optional().describe('Settings that only some DNS providers know.'),
})

const dnsEndpoint = ruled(
  z.object({
    enabled: z.boolean().optional().describe('Whether a DNSEndpoint is made, which external-dns publishes.'),
    annotations: stringMap('Annotations of the DNSEndpoint.'),
    endpoints: z.array(endpoint).optional().describe('Records to publish.'),
  }),
  {
    rule: '!has(self.enabled) || !self.enabled || (has(self.endpoints) && size(self.endpoints) > 0)',
    message: 'an enabled dnsEndpoint needs at least one endpoint',
  },
)

const serviceAnnotations = stringMap('Annotations of the Service behind the Ingress.')

/** How replicas, clients and the world outside reach the ledger. */
export const networkFields = {
  service: service.optional().describe('Service that clients in the cluster use.'),
  headlessService: headlessService.optional().describe('Service that gives each replica a name.'),
  ingress: withHosts(z.object(ingressFields)).optional().describe('Way in from outside for HTTP.'),
  ingressGrpc: withHosts(z.object({ ...ingressFields, serviceAnnotations }))
    .optional()
    .describe('Way in from outside for gRPC.'),
  networkPolicy: networkPolicy.optional().describe('Who may speak with the replicas, and with whom they may.'),
  dnsEndpoint: dnsEndpoint.optional().describe('Names in a public DNS.'),
}
