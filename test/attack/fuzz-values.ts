import { nestedArrays } from './hostile-objects.ts'

const quoted = (text: string): string => JSON.stringify(text)

// More keeps the server itself busy for seconds, and it rejects most of it.
const long = 20_000
const deep = 5_000
const deepForServer = 300

/** Hostile values, as JSON text: some cannot be written otherwise. */
export const hostileValues: readonly string[] = [
  // Of another type than anybody expects.
  ...['null', 'true', '0', '-1', '1e400', '[]', '{}', '[null]', '{"length":1}', '{"__proto__":{"polluted":true}}'],
  // Nothing, or nearly nothing.
  ...[quoted(''), quoted(' '), quoted('\n\t\r')],
  // Characters that end lines, hide or are none.
  ...['"\\u0000"', '"\\u001b[31mred"', '"\\u202eevil"', '"\\ud800"', '"\\ufffd\\uffff"', quoted('a\u2028b')],
  // Names that every object has.
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map(quoted),
  // Looks like the real thing.
  ...['own\u200b', '\u043ewn', 'bystander', 'team-a/ledger-bystander-agent-keys', '../../etc/passwd'].map(quoted),
  // Numbers and times at the end of what can be counted.
  ...['9'.repeat(400), '-0', '1e999', '275761-01-01T00:00:00Z', '-000001-01-01T00:00:00Z'].map(quoted),
  // JSON in a string: of other types, twice the same key, too deep, too long.
  ...['{"keys":null}', '{"keys":{"length":1,"0":{}}}', '{"keys":[],"keys":[null]}'].map(quoted),
  ...[
    quoted(nestedArrays(deep)),
    nestedArrays(deepForServer),
    quoted('x'.repeat(long)),
    quoted(`["${'a,'.repeat(long / 2)}"]`),
  ],
]

/** Numbers in an order that is the same for the same seed (mulberry32). */
export const shuffled = (count: number, seed: number): readonly number[] => {
  let state = seed
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const numbers = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    ;[numbers[last], numbers[other]] = [numbers[other] ?? 0, numbers[last] ?? 0]
  }
  return numbers
}
