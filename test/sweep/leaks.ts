import type { SecretObject } from '../kit/suite.ts'
import type { Revision } from './witness.ts'

/** I5: no value of a key outside the data of a Secret. */
export const leaksOf = (
  revisions: readonly Revision[],
  logs: readonly string[],
  sent: readonly string[],
): readonly string[] => {
  const forms = seedFormsOf(revisions, sent)
  const places = [
    ...revisions.map(({ object }) => ({
      what: `${object.kind} ${object.metadata.name}`,
      text: JSON.stringify(object.kind === 'Secret' ? object.metadata : object),
    })),
    ...logs.map((text) => ({ what: 'the log', text })),
  ]
  return places.flatMap(({ what, text }) =>
    forms.some((form) => text.includes(form)) ? [`I5 a seed is shown in ${what}`] : [],
  )
}

/** Every seed that was ever stored or sent, in every form that it might be written in. */
const seedFormsOf = (revisions: readonly Revision[], sent: readonly string[]): readonly string[] => {
  const stored = revisions.flatMap(({ object }) => (object as SecretObject).data?.['seed.hex'] ?? [])
  return [...new Set([...stored, ...sent])].flatMap((base64) => {
    const hex = Buffer.from(base64, 'base64').toString('latin1')
    if (!/^[0-9a-f]{64}$/.test(hex)) return []
    const raw = Buffer.from(hex, 'hex')
    // Base64 of something longer that holds the seed shows one of three spellings.
    const within = [0, 1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), raw])
        .toString('base64')
        .slice(4, 40),
    )
    return [base64, hex, hex.toUpperCase(), [...raw].join(','), ...within]
  })
}
