import { z } from 'zod'

const s3 = z.object({
  bucket: z.string().optional().describe('Name of the bucket.'),
  region: z.string().optional().describe('Region of the bucket.'),
  endpoint: z.string().optional().describe('URL of a server that speaks S3, when it is not AWS.'),
})

export const coldStorage = z
  .object({
    driver: z.string().optional().describe('Where old data goes: filesystem or s3.'),
    path: z.string().optional().describe('Folder, when old data goes to a file system.'),
    bucketId: z.string().optional().describe('What this ledger’s data is filed under.'),
    s3: s3.optional().describe('Bucket, when old data goes to S3.'),
  })
  .optional()
  .describe('Where old data is moved to.')
