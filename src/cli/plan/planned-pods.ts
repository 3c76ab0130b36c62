import { filledIn } from '../../controllers/ledgerservice/retained.ts'
import type { Desired } from '../../pure/effects.ts'
import { isLike } from '../../pure/likeness.ts'
import { ownedFieldsOf } from '../../pure/managed-fields.ts'
import type { KubeObject } from '../../pure/object.ts'
import { ownedPartOf } from '../../pure/owned-part.ts'

/** What writing an object with a pod template means for its pods. */
export interface PlannedPods {
  /** Whether the template changes, so that running pods are replaced; `new` when there is no such object yet. */
  readonly restart: 'yes' | 'no' | 'new'
  readonly images: readonly { readonly container: string; readonly before?: string; readonly after: string }[]
}

interface PodTemplate {
  readonly spec?: { readonly containers?: readonly { readonly name: string; readonly image?: string }[] }
}

interface WithTemplate {
  readonly spec?: { readonly template?: PodTemplate }
}

/** Undefined for an object that makes no pods. */
export const plannedPods = (
  desired: Desired,
  live: KubeObject | undefined,
  manager: string,
): PlannedPods | undefined => {
  const template = templateOf(desired)
  const containers = template?.spec?.containers
  if (containers === undefined) return undefined
  const running = templateOf(live)?.spec?.containers ?? []
  return {
    restart: live === undefined ? 'new' : isLike(template, ownTemplateOf(live, manager), filledIn) ? 'no' : 'yes',
    images: containers.map(({ name: container, image }) => {
      const before = running.find(({ name }) => name === container)?.image
      return { container, ...(before === undefined ? {} : { before }), after: image ?? before ?? '' }
    }),
  }
}

/** As much of the live template as an apply would keep or take away: the rest is others', or filled in. */
const ownTemplateOf = (live: KubeObject, manager: string): PodTemplate | undefined =>
  templateOf(ownedPartOf(live, ownedFieldsOf(live.metadata.managedFields, manager)))

const templateOf = (object: unknown): PodTemplate | undefined => (object as WithTemplate | undefined)?.spec?.template
