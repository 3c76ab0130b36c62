import { z } from 'zod'
import { quantity } from '../define-kind.ts'

const hostPath = z.object({
  path: z.string().describe('Folder on the node.'),
  type: z
    .enum(['Directory', 'DirectoryOrCreate'])
    .default('DirectoryOrCreate')
    .describe('Whether the folder must be there or is made.'),
})

const volume = (description: string) =>
  z
    .object({
      storageClass: z.string().optional().describe('Class of the volume; the cluster’s default when unset.'),
      accessMode: z.string().default('ReadWriteOnce').describe('Who may mount the volume at once.'),
      size: quantity().optional().describe('Size of the volume, such as 10Gi.'),
      volumeAttributesClassName: z.string().optional().describe('Class of attributes that may change later.'),
      hostPath: hostPath.optional().describe('A folder of the node instead of a volume.'),
    })
    .optional()
    .describe(description)

const retentionPolicy = z.object({
  whenScaled: z.string().default('Retain').describe('What becomes of volumes of replicas that go: Retain or Delete.'),
  whenDeleted: z.string().default('Retain').describe('What becomes of volumes when the ledger goes: Retain or Delete.'),
})

export const persistence = z
  .object({
    wal: volume('Volume of the write-ahead log; 5Gi when no size is set.'),
    data: volume('Volume of the data; 10Gi when no size is set.'),
    coldCache: volume('Volume that caches what is in cold storage; 10Gi when no size is set.'),
    retentionPolicy: retentionPolicy.optional().describe('What becomes of volumes that are no longer used.'),
    deletionProtection: z.boolean().default(true).describe('Whether volumes are labelled as guarded against deletion.'),
  })
  .optional()
  .describe('Volumes of a replica.')
