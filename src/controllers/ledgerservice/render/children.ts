import type { Desired } from '../../../pure/effects.ts'
import type { KeyStamp } from '../../../pure/key-rollout.ts'
import { type Kind, Service, ServiceAccount, StatefulSet } from '../../../pure/kind.ts'
import type { CompleteService } from '../defaults.ts'
import { renderHeadlessService } from './headless-service.ts'
import { renderService } from './service.ts'
import { renderServiceAccount } from './service-account.ts'
import { renderStatefulSet } from './stateful-set.ts'

export interface Child {
  readonly kind: Kind
  readonly object: Desired
}

/**
 * Everything that a service is made of, in the order in which one needs the other.
 * @internal
 */
export const renderChildren = (service: CompleteService, wiring: KeyStamp | undefined): readonly Child[] =>
  [
    { kind: ServiceAccount, object: renderServiceAccount(service) },
    { kind: Service, object: renderHeadlessService(service) },
    { kind: Service, object: renderService(service) },
    { kind: StatefulSet, object: renderStatefulSet(service, wiring) },
  ].flatMap(({ kind, object }) => (object === undefined ? [] : [{ kind, object }]))
