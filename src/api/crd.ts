import { apiVersionOf, CustomResourceDefinition, crdNameOf } from '../pure/kind.ts'
import type { KindDefinition } from './define-kind.ts'
import { structuralSchemaOf } from './structural.ts'

/** The CustomResourceDefinition of a kind. */
export const crdOf = (kind: KindDefinition) => ({
  apiVersion: apiVersionOf(CustomResourceDefinition),
  kind: CustomResourceDefinition.kind,
  metadata: { name: crdNameOf(kind) },
  spec: {
    group: kind.group,
    names: {
      kind: kind.kind,
      listKind: `${kind.kind}List`,
      plural: kind.plural,
      singular: kind.singular,
      shortNames: kind.shortNames,
      categories: ['holdfast'],
    },
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    versions: [
      {
        name: kind.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: kind.columns,
        schema: { openAPIV3Schema: rootSchemaOf(kind) },
      },
    ],
  },
})

const rootSchemaOf = ({ summary, spec, status, rules }: KindDefinition) => ({
  type: 'object',
  description: summary,
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: structuralSchemaOf(spec),
    status: structuralSchemaOf(status),
  },
  // The server keeps no empty list: written out, it would be a difference for ever.
  ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
})
