/** The paths of a value with what is there. Items of a list go by their name where they have one. */
export const flattened = (value: unknown, path: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(leavesOf(JSON.parse(JSON.stringify(value)) as unknown, path))

function* leavesOf(value: unknown, path: string): Generator<[path: string, value: unknown]> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    yield [path, value]
  } else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly unknown[]).entries()) {
      const { name, ...rest } = item as { readonly name?: string }
      if (name === undefined) yield* leavesOf(item, `${path}[${index}]`)
      else yield* leavesOf(rest, `${path}[${name}]`)
    }
  } else {
    for (const [field, inner] of Object.entries(value)) yield* leavesOf(inner, `${path}.${field}`)
  }
}
