/** What people see where a secret is. */
export const shown = '[secret]'

/**
 * A text that must not be seen: however it is printed, logged, spread or cloned, it shows nothing of itself. It has no
 * `Symbol.toPrimitive` on purpose: `Buffer.from` would take what is shown for the text, and a Secret would hold that.
 */
export class SecretText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The text itself: for the wire and for a derivation, never for people. */
  reveal(): string {
    return this.#text
  }

  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return shown
  }
}

type Data = Readonly<Record<string, string | SecretText>>

/** A Secret's data as the API server takes it: base64, and plain to whoever sees it. */
export const revealToWire = (data: Data): Readonly<Record<string, string>> => {
  const plain = (value: string | SecretText) => (value instanceof SecretText ? value.reveal() : value)
  const entries = Object.entries(data)
  return Object.fromEntries(entries.map(([field, value]) => [field, Buffer.from(plain(value)).toString('base64')]))
}
