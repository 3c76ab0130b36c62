import { z } from 'zod'
import { ruled } from '../define-kind.ts'
import { stringMap } from './string-map.ts'

const path = z.object({
  path: z.string().default('/').describe('What the path of a request begins with or is.'),
  pathType: z.string().default('Prefix').describe('Whether it begins with (Prefix) or is (Exact) that path.'),
})

const host = z.object({
  host: z.string().describe('Name of the host.'),
  paths: z.array(path).optional().describe('Paths that lead to the ledger.'),
})

const tls = z.object({
  hosts: z.array(z.string()).optional().describe('Hosts that the certificate is for.'),
  secretName: z.string().max(253).optional().describe('Secret that holds the certificate and its key.'),
})

/** One of the two ways in from outside: they differ in what they carry. */
export const ingressFields = {
  enabled: z.boolean().optional().describe('Whether there is an Ingress.'),
  className: z.string().optional().describe('Which controller serves the Ingress.'),
  labels: stringMap('Labels of the Ingress.'),
  annotations: stringMap('Annotations of the Ingress.'),
  hosts: z.array(host).optional().describe('Hosts under which the ledger is reached.'),
  tls: z.array(tls).optional().describe('Certificates of the hosts.'),
}

export const withHosts = <T extends z.ZodType>(ingress: T): T =>
  ruled(ingress, {
    rule: '!has(self.enabled) || !self.enabled || (has(self.hosts) && size(self.hosts) > 0)',
    message: 'an enabled ingress needs at least one host',
  })
