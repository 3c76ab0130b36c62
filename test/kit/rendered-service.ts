import type { LedgerService } from '../../src/api/ledgerservice.ts'
import { spec as schema } from '../../src/api/ledgerservice-schema.ts'
import { type CompleteService, withDefaults } from '../../src/controllers/ledgerservice/defaults.ts'
import { renderChildren } from '../../src/controllers/ledgerservice/render/children.ts'
import type { KeyStamp } from '../../src/pure/key-rollout.ts'
import { flattened } from './flattened.ts'

export const settings = { image: { repository: 'ghcr.io/formancehq/ledger', tag: 'latest' } }

export const aLedgerService = (name = 'books', namespace = 'team-a'): LedgerService => ({
  apiVersion: 'ledger.formance.com/v1alpha1',
  kind: 'LedgerService',
  metadata: { name, namespace, uid: 'uid', resourceVersion: '1' },
})

/** A service with the defaults that the API server gives it, and ours. */
export const aService = (spec: object = {}, ...key: Parameters<typeof aLedgerService>): CompleteService =>
  withDefaults({ ...aLedgerService(...key), spec: schema.parse(spec) }, settings)

type Paths = Readonly<Record<string, unknown>>

interface Named {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: object; readonly annotations?: object }
}

/** All paths of some objects, but for names, spec hashes and the text of start scripts. */
export const pathsOf = (objects: readonly Named[]): Paths =>
  Object.fromEntries(
    objects
      .flatMap(({ kind, metadata: { name, labels, annotations }, ...rest }) =>
        Object.entries(flattened({ metadata: { labels, annotations }, ...rest }, `${kind} ${name}`)),
      )
      .filter(([path]) => !/\/spec-hash$|\.command\[2\]$/.test(path)),
  )

/** The paths of everything that a service becomes. */
export const renderedPaths = (service: CompleteService, wiring?: KeyStamp): Paths =>
  pathsOf(renderChildren(service, wiring).map(({ kind: { kind }, object }) => ({ ...object, kind })))
