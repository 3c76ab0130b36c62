import { Informer, type Wires } from '../kube/informer.ts'
import { crdNameOf, CustomResourceDefinition, type Kind } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'

interface Version {
  readonly name: string
  readonly served: boolean
  readonly schema?: { readonly openAPIV3Schema?: { readonly properties?: { readonly status?: StatusSchema } } }
}

interface StatusSchema {
  readonly properties?: Readonly<Record<string, object>>
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
}

interface Crd extends KubeObject {
  readonly spec: {
    readonly group: string
    readonly scope: 'Namespaced' | 'Cluster'
    readonly names: { readonly kind: string; readonly plural: string }
    readonly versions: readonly Version[]
  }
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

/** Which of our own kinds the cluster serves. Their definitions come and go while we run, and that is no error. */
export class ServedKinds {
  readonly informers: readonly Informer<Crd>[]
  readonly #kinds: readonly Kind[]

  constructor(kinds: readonly Kind[], wires: Wires) {
    this.#kinds = kinds.filter(({ isCustom = false }) => isCustom)
    this.informers = this.#kinds.map((kind) => new Informer(crdView(crdNameOf(kind)), undefined, wires))
  }

  onChange(listener: () => void): void {
    for (const { store } of this.informers) store.onChange(() => listener())
  }

  /** The fields that a kind's status has as it is installed; undefined when it takes any, or nothing is known of it. */
  statusFieldsOf(kind: Kind): ReadonlySet<string> | undefined {
    const crd = this.informers[this.#kinds.indexOf(kind)]?.store.get(crdNameOf(kind))
    const version = crd?.spec.versions.find(({ name }) => name === kind.version)
    const properties = version?.schema?.openAPIV3Schema?.properties?.status?.properties
    return properties && new Set(Object.keys(properties))
  }

  /** Why a kind cannot be worked with now; undefined when it can. */
  obstacleTo(kind: Kind): string | undefined {
    const crd = this.informers[this.#kinds.indexOf(kind)]?.store.get(crdNameOf(kind))
    if (crd === undefined) return `its CustomResourceDefinition ${crdNameOf(kind)} is not installed`
    const { scope, names, versions } = crd.spec
    const isServed = versions.some(({ name, served }) => served && name === kind.version)
    const isOurs = names.kind === kind.kind && (scope === 'Namespaced') === kind.namespaced
    if (!isServed || !isOurs) return `its CustomResourceDefinition ${crdNameOf(kind)} is another: see holdfast install`
    const isEstablished = crd.status?.conditions?.some(
      ({ type, status }) => type === 'Established' && status === 'True',
    )
    if (isEstablished === true) return undefined
    return `its CustomResourceDefinition ${crdNameOf(kind)} is not established yet`
  }
}

const crdView = (name: string) => ({
  kind: CustomResourceDefinition,
  choice: { name },
  extent: 'whole' as const,
  // Without the schemas, which are most of it: of these, the names of the status fields are enough.
  project: ({ apiVersion, kind, metadata, spec, status }: Crd): Crd => {
    const { name: called, uid, resourceVersion } = metadata
    const versions = spec.versions.map(slimVersion)
    const { group, scope, names } = spec
    const slim = { apiVersion, kind, metadata: { name: called, uid, resourceVersion } }
    return { ...slim, spec: { group, scope, names, versions }, ...(status && { status }) }
  },
  indexes: {},
})

const slimVersion = ({ name, served, schema }: Version): Version => {
  const { properties, 'x-kubernetes-preserve-unknown-fields': takesAny = false } =
    schema?.openAPIV3Schema?.properties?.status ?? {}
  if (properties === undefined || takesAny) return { name, served }
  const names = Object.fromEntries(Object.keys(properties).map((field) => [field, {}]))
  return { name, served, schema: { openAPIV3Schema: { properties: { status: { properties: names } } } } }
}
