import type { Reader, Reading } from './readers/reader.ts'

/** Who keeps a copy of everything: we by a stream or by pages, the least code that could, or the usual client. */
export const readerNames = ['holdfast, streamed', 'holdfast, paged', 'bare', 'client-node'] as const
export type ReaderName = (typeof readerNames)[number]

/** Loads no reader but the one in question: what the others bring along must not count. */
export const readers: Readonly<Record<ReaderName, (reading: Reading) => Promise<Reader>>> = {
  'holdfast, streamed': async (reading) => (await import('./readers/holdfast.ts')).streamed(reading),
  'holdfast, paged': async (reading) => (await import('./readers/holdfast.ts')).paged(reading),
  bare: async (reading) => (await import('./readers/bare.ts')).bare(reading),
  'client-node': async (reading) => (await import('./readers/client-node.ts')).clientNode(reading),
}
