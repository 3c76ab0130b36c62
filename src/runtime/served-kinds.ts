import { Informer, type Wires } from '../kube/informer.ts'
import { crdNameOf, CustomResourceDefinition, type Kind } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'

interface Crd extends KubeObject {
  readonly spec: {
    readonly group: string
    readonly scope: 'Namespaced' | 'Cluster'
    readonly names: { readonly kind: string; readonly plural: string }
    readonly versions: readonly { readonly name: string; readonly served: boolean }[]
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
  // Without the schemas, which are most of it.
  project: ({ apiVersion, kind, metadata, spec, status }: Crd): Crd => {
    const { name: called, uid, resourceVersion } = metadata
    const versions = spec.versions.map(({ name: version, served }) => ({ name: version, served }))
    const { group, scope, names } = spec
    const slim = { apiVersion, kind, metadata: { name: called, uid, resourceVersion } }
    return { ...slim, spec: { group, scope, names, versions }, ...(status && { status }) }
  },
  indexes: {},
})
