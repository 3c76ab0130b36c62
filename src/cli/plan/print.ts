import { printKey } from '../../pure/object.ts'
import { printDocuments } from '../install/documents.ts'
import { harmless } from '../harmless.ts'
import type { Style } from '../paint.ts'
import type { Change } from './changes.ts'
import { hasChanges, type PlanDocument, type PlannedEffect, type PlannedObject, type PlannedPass } from './document.ts'
import type { PlannedPods } from './planned-pods.ts'

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
  const heading = `${paint('bold', `${object.kind} ${printKey(object)}`)}: ${printStage(object)}`
  if (!hasChanges(object)) return [`${heading}, nothing to do`]
  const then = object.then.flatMap((pass) => [paint('bold', `  then: ${printStage(pass)}`), ...printPass(pass, paint)])
  return [heading, ...printPass(object, paint), ...then, '']
}

const printStage = ({ stage, ready, remark }: PlannedPass): string => {
  const why = remark ?? (ready && `${ready.reason}: ${ready.message}`)
  return why === undefined ? stage : `${stage} (${why})`
}

const printPass = ({ notices = [], steps, statusChanges }: PlannedPass, paint: Paint): readonly string[] => [
  ...notices.map((notice) => `  note: ${harmless(notice)}`),
  ...steps.flatMap((step, index) => printStep(step, { index, of: steps.length }, paint)),
  ...(statusChanges.length === 0 ? [] : [`  say in its status`, ...printChanges(statusChanges, paint)]),
]

const printStep = (
  step: readonly PlannedEffect[],
  { index, of }: { readonly index: number; readonly of: number },
  paint: Paint,
): readonly string[] => [
  ...(of === 1 ? [] : [paint('dim', `  step ${index + 1} of ${of}`)]),
  ...step.flatMap((effect) => printEffect(effect, paint)),
]

const printEffect = (effect: PlannedEffect, paint: Paint): readonly string[] => {
  const { kind, uid, note, object, changes, pods } = effect
  const detail = note === undefined ? '' : `: ${note}`
  const line = `  ${effect.do} ${kind} ${printKey(effect)}${uid === undefined ? '' : ` (uid ${uid})`}${detail}`
  if (object !== undefined) {
    const yaml = printDocuments([object]).trimEnd().split('\n')
    return [line, ...printPods(pods, paint), ...yaml.map((text) => `    ${paint('green', `+ ${text}`)}`)]
  }
  if (changes === undefined) return [line]
  // Only a Secret's content can be wrong without any path of it telling so.
  const content = changes.length === 0 ? ['    its content is not what it should be'] : printChanges(changes, paint)
  return [line, ...printPods(pods, paint), ...content]
}

const restarts = {
  yes: 'the pod template changes: pods are restarted',
  no: 'the pod template does not change: no pod is restarted',
  new: 'the pod template is new: pods are created',
} as const

const printPods = (pods: PlannedPods | undefined, paint: Paint): readonly string[] =>
  pods === undefined
    ? []
    : [
        `    ${pods.restart === 'yes' ? paint('red', restarts.yes) : restarts[pods.restart]}`,
        ...pods.images.map(({ container, before, after }) => {
          const change = before === undefined || before === after ? after : `${before} -> ${after}`
          return `    image of container ${harmless(container)}: ${harmless(change)}`
        }),
      ]

const printChanges = (changes: readonly Change[], paint: Paint): readonly string[] =>
  changes.flatMap(({ path, before, after }) => [
    ...(before === undefined ? [] : [`    ${paint('red', `- ${harmless(path)}: ${printValue(before)}`)}`]),
    ...(after === undefined ? [] : [`    ${paint('green', `+ ${harmless(path)}: ${printValue(after)}`)}`]),
  ])

/** On one line, whatever it is. */
const printValue = (value: unknown): string =>
  harmless(typeof value === 'string' && /^[^\n]+$/.test(value) ? value : JSON.stringify(value))
