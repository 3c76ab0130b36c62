import { printKey } from '../../pure/object.ts'
import { printDocuments } from '../install/documents.ts'
import { harmless } from '../harmless.ts'
import type { Style } from '../paint.ts'
import type { Change } from './changes.ts'
import { hasChanges, type PlanDocument, type PlannedEffect, type PlannedObject } from './document.ts'

type Paint = (style: Style, text: string) => string

/** A plan for people: a heading for each object, and below it what would be done. */
export const printPlan = ({ objects, waiting, summary }: PlanDocument, paint: Paint): string => {
  const sums = [
    counted(summary.objects, 'object'),
    `${summary.withChanges} with changes`,
    counted(summary.effects, 'effect'),
  ]
  return [
    ...objects.flatMap((object) => printObject(object, paint)),
    ...waiting.map(({ kind, why }) => `${paint('bold', `${kind}s`)}: the operator waits: ${why}`),
    sums.join(', '),
    '',
  ].join('\n')
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const printObject = (object: PlannedObject, paint: Paint): readonly string[] => {
  const { kind, stage, ready, remark, notices = [], steps, statusChanges } = object
  const why = remark ?? (ready && `${ready.reason}: ${ready.message}`)
  const heading = `${paint('bold', `${kind} ${printKey(object)}`)}: ${stage}${why === undefined ? '' : ` (${why})`}`
  if (!hasChanges(object)) return [`${heading}, nothing to do`]
  const status = statusChanges.length === 0 ? [] : [`  say in its status`, ...printChanges(statusChanges, paint)]
  return [
    heading,
    ...notices.map((notice) => `  note: ${harmless(notice)}`),
    ...steps.flatMap((step, index) => printStep(step, { index, of: steps.length }, paint)),
    ...status,
    '',
  ]
}

const printStep = (
  step: readonly PlannedEffect[],
  { index, of }: { readonly index: number; readonly of: number },
  paint: Paint,
): readonly string[] => [
  ...(of === 1 ? [] : [paint('dim', `  step ${index + 1} of ${of}`)]),
  ...step.flatMap((effect) => printEffect(effect, paint)),
]

const printEffect = (effect: PlannedEffect, paint: Paint): readonly string[] => {
  const { kind, uid, note, object, changes } = effect
  const detail = note === undefined ? '' : `: ${note}`
  const line = `  ${effect.do} ${kind} ${printKey(effect)}${uid === undefined ? '' : ` (uid ${uid})`}${detail}`
  if (object !== undefined) {
    const yaml = printDocuments([object]).trimEnd().split('\n')
    return [line, ...yaml.map((text) => `    ${paint('green', `+ ${text}`)}`)]
  }
  if (changes === undefined) return [line]
  // Only a Secret's content can be wrong without any path of it telling so.
  return [line, ...(changes.length === 0 ? ['    its content is not what it should be'] : printChanges(changes, paint))]
}

const printChanges = (changes: readonly Change[], paint: Paint): readonly string[] =>
  changes.flatMap(({ path, before, after }) => [
    ...(before === undefined ? [] : [`    ${paint('red', `- ${harmless(path)}: ${printValue(before)}`)}`]),
    ...(after === undefined ? [] : [`    ${paint('green', `+ ${harmless(path)}: ${printValue(after)}`)}`]),
  ])

/** On one line, whatever it is. */
const printValue = (value: unknown): string =>
  harmless(typeof value === 'string' && /^[^\n]+$/.test(value) ? value : JSON.stringify(value))
