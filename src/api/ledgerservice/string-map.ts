import { z } from 'zod'

/** Annotations, labels and their like. */
export const stringMap = (description: string) => z.record(z.string(), z.string()).optional().describe(description)
