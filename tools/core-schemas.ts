import { longestQuantity } from '../src/pure/quantity.ts'
import type { Port } from '../src/kube/port.ts'

/** One schema of the server's OpenAPI v3 documents. */
interface Schema {
  readonly [keyword: string]: unknown
}

type Schemas = Readonly<Record<string, Schema>>

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.'
const resource = 'io.k8s.apimachinery.pkg.api.resource.'
const core = 'io.k8s.api.core.v1.'

/** Types of Kubernetes' own that our kinds use, by the document of the server that describes them. */
const coreTypes = {
  'api/v1': [
    `${meta}Condition`,
    `${meta}LabelSelector`,
    `${resource}Quantity`,
    `${core}Affinity`,
    `${core}EnvVar`,
    `${core}LocalObjectReference`,
    `${core}PodSecurityContext`,
    `${core}Probe`,
    `${core}ResourceRequirements`,
    `${core}SecurityContext`,
    `${core}Toleration`,
    `${core}TopologySpreadConstraint`,
  ],
  'apis/networking.k8s.io/v1': ['io.k8s.api.networking.v1.NetworkPolicyEgressRule'],
}

/** Reads the types from a running server. */
export const readCoreSchemas = async (port: Port): Promise<Schemas> => {
  const found: Record<string, Schema> = {}
  for (const [document, types] of Object.entries(coreTypes)) {
    const schemas = await readDocument(port, document)
    for (const type of types) found[type.slice(type.lastIndexOf('.') + 1)] = resolved(schemas, type)
  }
  return found
}

const readDocument = async (port: Port, document: string): Promise<Schemas> => {
  const request = { method: 'GET', path: `/openapi/v3/${document}`, query: {}, accept: 'application/json' } as const
  const { body } = await port.call(request, AbortSignal.timeout(30_000))
  return (JSON.parse(body) as { components: { schemas: Schemas } }).components.schemas
}

// What `kubectl` and the API server take for a quantity; the server's own document does not say.
const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$'

/** Types that are a number or a string: a CRD has a keyword of its own for these. */
const eitherOr: Schemas = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { 'x-kubernetes-int-or-string': true },
  [`${resource}Quantity`]: {
    'x-kubernetes-int-or-string': true,
    pattern: quantityPattern,
    // The server's document does not say this either: a longer one is no amount of anything.
    maxLength: longestQuantity,
  },
}

// Descriptions are long, and Go's zero defaults nobody's wish. Which values are allowed is left to the server that gets
// the pods, which may know more of them. The rest is for clients, and unknown to a CRD.
const leftOut = new Set([
  'description',
  'default',
  'enum',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-unions',
])

/** A type with references put in place. */
const resolved = (schemas: Schemas, type: string): Schema => {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, allOf, ...rest } = value as Schema
    if (typeof $ref === 'string') return resolved(schemas, $ref.replace('#/components/schemas/', ''))
    const [only] = (allOf as readonly unknown[] | undefined) ?? []
    if (only !== undefined) return resolve(only)
    return { ...mapValues(keywordsOf(rest), resolve), ...childrenOf(rest, resolve) }
  }
  return eitherOr[type] ?? (resolve(schemas[type]) as Schema)
}

// A field may be called like a keyword: what is left out of a schema stays in its list of fields.
const keywordsOf = ({ properties: _, ...schema }: Schema) =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !leftOut.has(keyword)))

const childrenOf = ({ properties }: Schema, change: (value: unknown) => unknown) =>
  properties === undefined ? {} : { properties: mapValues(properties as object, change) }

const mapValues = (object: object, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
