import type { StructuralSchema } from '../../api/structural.ts'
import { CommandFailure } from '../command-failure.ts'
import { getOwn } from '../../pure/own.ts'

type Step = string | number

/** A place in an object and what to write there. */
interface Assignment {
  readonly path: string
  readonly steps: readonly Step[]
  readonly text: string
}

/**
 * The object with what one `path=value` says, typed as its schema has it. Paths have dots between fields (`\.` is a dot
 * in a name) and `[n]` for the entries of a list; a list as a whole is given with commas between (`\,` is a comma).
 */
export const setPath = (schema: StructuralSchema, object: object, text: string): object => {
  const assignment = parseAssignment(text)
  return setAt(schema, object, assignment.steps, assignment) as object
}

const parseAssignment = (text: string): Assignment => {
  const equals = text.indexOf('=')
  const path = text.slice(0, Math.max(0, equals))
  const steps = stepsOf(path)
  if (steps.length === 0) throw wrong(`--set ${text}`, 'write path=value, such as scopes=ledger:read,ledger:write')
  return { path, steps, text: text.slice(equals + 1) }
}

/** Nothing, when it is no path. */
const stepsOf = (path: string): readonly Step[] => {
  const step = /(?:^|\.)((?:\\.|[^\\.[\]])+)|\[(\d{1,4})\]/y
  const steps: Step[] = []
  while (step.lastIndex < path.length) {
    const [, name, index] = step.exec(path) ?? []
    if (name !== undefined) steps.push(name.replaceAll(/\\(.)/g, '$1'))
    else if (index !== undefined) steps.push(Number(index))
    else return []
  }
  return steps
}

const setAt = (
  schema: StructuralSchema,
  before: unknown,
  [step, ...rest]: readonly Step[],
  assignment: Assignment,
): unknown => {
  if (step === undefined) return valueOf(schema, assignment)
  if (typeof step === 'number')
    return setEntry(schema, (before ?? []) as readonly unknown[], [step, ...rest], assignment)
  const fields = (before ?? {}) as Readonly<Record<string, unknown>>
  const child = fieldOf(schema, step, assignment)
  const own = getOwn(fields, step)
  return { ...fields, [step]: setAt(child, own, rest, assignment) }
}

const setEntry = (
  { items }: StructuralSchema,
  list: readonly unknown[],
  [index, ...rest]: readonly [number, ...Step[]],
  assignment: Assignment,
): readonly unknown[] => {
  if (items === undefined) throw wrong(assignment.path, `it has [${index}] where there is no list`)
  if (index > list.length) throw wrong(assignment.path, `[${list.length}] comes before [${index}]`)
  return [...list.slice(0, index), setAt(items, list[index], rest, assignment), ...list.slice(index + 1)]
}

const fieldOf = (schema: StructuralSchema, name: string, { path }: Assignment): StructuralSchema => {
  const { properties = {}, additionalProperties } = schema
  const child = getOwn(properties, name) ?? additionalProperties
  if (child !== undefined) return child
  const known = Object.keys(properties).sort().join(', ')
  throw wrong(path, known === '' ? `nothing lies below it` : `there is no field "${name}"; there are ${known}`)
}

const valueOf = ({ type, items }: StructuralSchema, { path, text }: Assignment): unknown => {
  if (type === 'string') return text
  if (type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true'
    throw wrong(path, 'it is either true or false')
  }
  if (type === 'array' && items?.type === 'string') return entriesOf(text)
  throw wrong(path, type === 'array' ? `set its entries: ${path}[0]…` : 'set one of the fields below it')
}

const entriesOf = (text: string): readonly string[] =>
  text === '' ? [] : text.split(/(?<!\\),/).map((entry) => entry.replaceAll('\\,', ','))

const wrong = (path: string, why: string): CommandFailure => new CommandFailure('usage', `cannot set ${path}: ${why}`)
