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

/**
 * A quantity as Kubernetes prints it: with the greatest suffix that needs no fraction. The former operator printed
 * quantities in this way, so 1024Mi and 1Gi are the same text.
 */
export const canonicalQuantity = (quantity: string | number): string => {
  const amount = amountIn(quantity, nano)
  if (amount === undefined) return String(quantity)
  if (amount === 0n) return '0'
  const [, , , , power, , exponent] = form.exec(String(quantity)) ?? []
  const isWhole = amount % one === 0n
  // A small amount, or one with a fraction, has no binary suffix.
  if (power !== undefined && isWhole && (amount >= 1024n * one || amount <= -1024n * one)) {
    const { rest, times } = dividedOut(amount / one, 1024n)
    return `${rest}${binary[times - 1] ?? ''}`
  }
  const { rest, times } = dividedOut(amount, 1000n)
  const tens = 3 * times - nano
  if (exponent !== undefined) return tens === 0 ? String(rest) : `${rest}e${tens}`
  const [letter = ''] = [...decimal].find(([, value]) => value === tens) ?? []
  return `${rest}${letter}`
}

const one = 10n ** 9n

const dividedOut = (amount: bigint, by: bigint): { readonly rest: bigint; readonly times: number } => {
  let [rest, times] = [amount, 0]
  for (; rest % by === 0n; times += 1) rest /= by
  return { rest, times }
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
