import { z } from 'zod'

const tls = z.object({
  enabled: z.boolean().optional().describe('Whether replicas and clients speak TLS.'),
  secretName: z.string().max(253).optional().describe('Secret that holds the certificate and its key.'),
  caSecretKey: z.string().max(253).optional().describe('Entry of that Secret that holds the CA.'),
})

const responseSigning = z.object({
  enabled: z.boolean().optional().describe('Whether responses are signed.'),
  secretName: z.string().max(253).optional().describe('Secret that holds the seed of the key.'),
  secretKey: z.string().max(253).default('seed').describe('Entry of that Secret that holds the seed.'),
})

const receiptSigning = z.object({
  secretName: z.string().max(253).optional().describe('Secret that holds the key.'),
  secretKey: z.string().max(253).default('key').describe('Entry of that Secret that holds the key.'),
})

/** Certificates, and keys with which the ledger signs. */
export const signingFields = {
  tls: tls.optional().describe('Encrypted connections.'),
  responseSigning: responseSigning.optional().describe('Signatures under responses.'),
  receiptSigning: receiptSigning.optional().describe('Signatures under receipts of transactions.'),
}
