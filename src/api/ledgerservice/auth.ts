import { z } from 'zod'
import { bounded, int32 } from '../define-kind.ts'

const fields = z.object({
  enabled: z.boolean().optional().describe('Whether requests need a token.'),
  issuer: z.string().optional().describe('URL of the OpenID issuer whose tokens are taken.'),
  issuers: z.array(z.string()).optional().describe('URLs of OpenID issuers whose tokens are taken.'),
  service: z.string().optional().describe('What a scope of this ledger begins with, before the colon.'),
  checkScopes: z.boolean().optional().describe('Whether the scopes of a token limit what it may do.'),
  readKeySetMaxRetries: int32().optional().describe('How often the keys of an issuer are asked for again.'),
  scopeMapping: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('Scopes of tokens, each with the scopes of the ledger that it stands for.'),
  anonymousScopes: z.array(z.string()).optional().describe('Scopes of a request without a token.'),
})

export const auth = bounded(fields, 4096).optional().describe('Who may use the ledger.')
