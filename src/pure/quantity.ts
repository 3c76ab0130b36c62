// Between two runs of digits there is always a point: a text has one reading, and is read in one go.
const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/
const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const decimal = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
])
// Beyond this no quantity means anything, and a typing error such as 1e999999 would fill the memory.
const greatestExponent = 30
/**
 * How many characters a quantity may have; the CRDs say the same.
 * @internal
 */
export const longestQuantity = 64

/** The whole amount that a quantity such as 1.5Gi stands for, rounded up as Kubernetes does; undefined when it is none. */
export const amountOf = (quantity: string | number): bigint | undefined => amountIn(quantity, 0)

// Kubernetes counts nothing smaller than a nano.
const nano = 9

/** Whether two spellings stand for the same amount. */
export const isSameQuantity = (one: string | number, other: string | number): boolean => {
  const amount = amountIn(one, nano)
  return amount !== undefined && amount === amountIn(other, nano)
}

const amountIn = (quantity: string | number, digitsBelowOne: number): bigint | undefined => {
  const text = String(quantity)
  if (text.length > longestQuantity) return undefined
  const [, sign, whole = '', fraction = '', power, letter = '', exponent] = form.exec(text) ?? []
  if (whole + fraction === '') return undefined
  const tens = Number(exponent ?? decimal.get(letter) ?? 0) - fraction.length + digitsBelowOne
  if (Math.abs(tens) > greatestExponent) return undefined
  const digits = BigInt(whole + fraction) * 1024n ** BigInt(binary.indexOf(power ?? '') + 1)
  const amount = tens >= 0 ? digits * 10n ** BigInt(tens) : dividedUp(digits, 10n ** BigInt(-tens))
  return sign === '-' ? -amount : amount
}

const dividedUp = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by
