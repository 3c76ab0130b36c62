import ts from 'typescript'

export interface NamedTest {
  readonly name: string
  readonly place: string
  readonly skipped: boolean
}

/** Every `test('…')`, `it('…')` and `test.each(…)('…')` of a file, read without running it. */
export const testsIn = (file: string, text: string): readonly NamedTest[] => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: NamedTest[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const name = node.arguments[0]
      const called = calledNames(node.expression)
      if (name !== undefined && (called[0] === 'test' || called[0] === 'it')) {
        const { line } = source.getLineAndCharacterOfPosition(name.getStart())
        const skipped = called.includes('skip') || called.includes('todo')
        const literal = literalText(name)
        if (literal !== undefined) found.push({ name: literal, place: `${file}:${line + 1}`, skipped })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** `test.each(cases)` → test, each. */
const calledNames = (node: ts.Expression): readonly string[] => {
  if (ts.isIdentifier(node)) return [node.text]
  if (ts.isPropertyAccessExpression(node)) return [...calledNames(node.expression), node.name.text]
  if (ts.isCallExpression(node)) return calledNames(node.expression)
  return ts.isTaggedTemplateExpression(node) ? calledNames(node.tag) : []
}

const literalText = (node: ts.Expression): string | undefined => {
  if (ts.isStringLiteralLike(node)) return node.text
  return ts.isTemplateExpression(node) ? node.head.text : undefined
}
