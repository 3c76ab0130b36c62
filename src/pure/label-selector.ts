import { getOwn } from './own.ts'

type Labels = Readonly<Record<string, string>>

interface Requirement {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[] | undefined
}

/** A selector as it lies in an object. */
export interface LabelSelector {
  readonly matchLabels?: Labels | undefined
  readonly matchExpressions?: readonly Requirement[] | undefined
}

export type Matcher = { readonly matches: (labels: Labels) => boolean } | { readonly fault: string }

/** What a selector selects, by the rules of kubectl; an empty one selects everything. */
export const matcherOf = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): Matcher => {
  const requirements = [
    ...Object.entries(matchLabels).map(([key, value]): Requirement => ({ key, operator: 'In', values: [value] })),
    ...matchExpressions,
  ]
  const [fault] = requirements.flatMap(faultOf)
  if (fault !== undefined) return { fault }
  return { matches: (labels) => requirements.every((requirement) => isMet(requirement, labels)) }
}

export const isEmptySelector = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean =>
  Object.keys(matchLabels).length === 0 && matchExpressions.length === 0

const isMet = ({ key, operator, values = [] }: Requirement, labels: Labels): boolean => {
  const value = getOwn(labels, key)
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    default:
      return value === undefined
  }
}

const name = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const domain = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/

// A domain, a slash and a name.
const longestKey = 253 + 1 + 63

const isLabelKey = (key: string): boolean => {
  if (key.length > longestKey) return false
  const [last = '', ...prefix] = key.split('/').reverse()
  return prefix.length <= 1 && name.test(last) && prefix.every((part) => domain.test(part))
}

const faultOf = ({ key, operator, values = [] }: Requirement): readonly string[] => {
  if (!isLabelKey(key)) return [`"${key}" is not a label's name`]
  const takesValues = operator === 'In' || operator === 'NotIn'
  if (!takesValues && operator !== 'Exists' && operator !== 'DoesNotExist') {
    return [`"${operator}" is not an operator: In, NotIn, Exists and DoesNotExist are`]
  }
  if (takesValues && values.length === 0) return [`${operator} needs values (label ${key})`]
  if (!takesValues && values.length > 0) return [`${operator} takes no values (label ${key})`]
  const wrong = values.find((value) => value !== '' && !name.test(value))
  return wrong === undefined ? [] : [`"${wrong}" is not a label's value (label ${key})`]
}
