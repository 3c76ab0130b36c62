import type { SecretObject } from '../kit/suite.ts'
import type { Revision } from './witness.ts'

/** I5: no value of a key outside the data of a Secret. */
export const leaksOf = (revisions: readonly Revision[], logs: readonly string[]): readonly string[] => {
  const forms = seedFormsOf(revisions)
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

/** Every seed that was ever stored, in every form that it might be written in. */
const seedFormsOf = (revisions: readonly Revision[]): readonly string[] => {
  const encoded = revisions.flatMap(({ object }) => (object as SecretObject).data?.['seed.hex'] ?? [])
  return [...new Set(encoded)].flatMap((base64) => {
    const hex = Buffer.from(base64, 'base64').toString('latin1')
    if (!/^[0-9a-f]{64}$/.test(hex)) return []
    const raw = Buffer.from(hex, 'hex')
    return [base64, hex, hex.toUpperCase(), raw.toString('base64').slice(0, 40), raw.toString('base64url').slice(0, 40)]
  })
}
