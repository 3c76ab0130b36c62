import type { Client, Sent } from '../kube/client.ts'
import { crdNameOf, type Kind } from '../pure/kind.ts'
import type { Log } from './log.ts'

interface Declarations {
  /** The fields that a kind's status has where it is installed; undefined when that is not known, or does not matter. */
  statusFieldsOf(kind: Kind): ReadonlySet<string> | undefined
}

/**
 * Leaves out of a status what the installed definition of its kind does not have. The server refuses an apply as a whole
 * for one unknown field: with an older definition, of this operator or of the former one, no status would be written.
 */
export class DeclaredStatus {
  readonly #declarations: () => Declarations
  readonly #log: Log
  readonly #said = new Set<string>()

  constructor(declarations: () => Declarations, log: Log) {
    this.#declarations = declarations
    this.#log = log
  }

  limit(client: Client): Client {
    return {
      ...client,
      applyStatus: (kind, object, ...rest) => client.applyStatus(kind, this.#declaredPart(kind, object), ...rest),
    }
  }

  #declaredPart(kind: Kind, object: Sent): Sent {
    const declared = this.#declarations().statusFieldsOf(kind)
    const fields = Object.entries((object['status'] ?? {}) as Readonly<Record<string, unknown>>)
    const unknown = declared === undefined ? [] : fields.filter(([field]) => !declared.has(field))
    if (unknown.length === 0) return object
    for (const [field] of unknown) this.#say(kind, field)
    return { ...object, status: Object.fromEntries(fields.filter(([field]) => declared?.has(field))) }
  }

  #say(kind: Kind, field: string): void {
    const path = `${crdNameOf(kind)} does not know status.${field}`
    if (this.#said.has(path)) return
    this.#said.add(path)
    const how = 'apply the definitions of this version, see holdfast install'
    this.#log.warn({ kind: kind.kind }, `CustomResourceDefinition ${path}: it is left out of every status; ${how}`)
  }
}
