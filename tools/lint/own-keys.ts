import type { Rule } from 'eslint'
import ts from 'typescript'

/** What the TypeScript parser knows of types. */
interface TypeServices {
  readonly program: ts.Program
  readonly getTypeAtLocation: (node: object) => ts.Type
}

const message =
  'A key from outside may be the name of an inherited member, such as "constructor": use getOwn (src/pure/own.ts) or Object.hasOwn.'

/** Names that every object inherits. */
const inherited = Object.getOwnPropertyNames(Object.prototype)

const isSafeBeginning = (text: string): boolean => !inherited.some((name) => name.startsWith(text))

/**
 * Refuses `record[key]`, `key in record` and `{ [key]: value } = record` where any text may be the key: they also find what
 * the record inherits. A key that is one of some known texts passes, and so does one with a beginning that no inherited
 * name has, such as `f:${field}`.
 */
export const ownKeys: Rule.RuleModule = {
  meta: { type: 'problem', schema: [], messages: { inherited: message } },
  create(context) {
    const services = context.sourceCode.parserServices as unknown as TypeServices
    const checker = services.program.getTypeChecker()
    const partsAt = (node: object): readonly ts.Type[] => {
      const own = services.getTypeAtLocation(node)
      const type = checker.getBaseConstraintOfType(own) ?? own
      return type.isUnion() ? type.types : [type]
    }
    const isAnyText = (key: object): boolean => !isSafeTemplate(key) && partsAt(key).some(isOpen)
    const isRecord = (object: object): boolean =>
      partsAt(object).some((part) => checker.getIndexInfoOfType(part, ts.IndexKind.String) !== undefined)
    const refuse = (node: Rule.Node): void => context.report({ node, messageId: 'inherited' })

    return {
      MemberExpression(node) {
        if (node.computed && isAnyText(node.property) && isRecord(node.object)) refuse(node)
      },
      BinaryExpression(node) {
        if (node.operator === 'in' && isAnyText(node.left)) refuse(node)
      },
      Property(node) {
        if (node.parent.type === 'ObjectPattern' && node.computed && isAnyText(node.key) && isRecord(node.parent))
          refuse(node)
      },
    }
  },
}

const openFlags = ts.TypeFlags.String | ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TemplateLiteral

/** Any text: neither one that is written down, nor a number or a symbol, nor one with a safe beginning. */
const isOpen = (type: ts.Type): boolean =>
  (type.flags & openFlags) !== 0 &&
  !('texts' in type && isSafeBeginning((type as ts.TemplateLiteralType).texts[0] ?? ''))

interface Template {
  readonly type: 'TemplateLiteral'
  readonly quasis: readonly { readonly value: { readonly raw: string } }[]
}

const isTemplate = (node: object): node is Template => 'type' in node && node.type === 'TemplateLiteral'

const isSafeTemplate = (key: object): boolean => isTemplate(key) && isSafeBeginning(key.quasis[0]?.value.raw ?? '')
