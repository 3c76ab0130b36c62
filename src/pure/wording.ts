const mostListed = 5

/** Names in a sentence: all of a few, the first of many. There may be more than are given. */
export const listed = (names: readonly string[], count: number = names.length): string =>
  count <= mostListed ? names.join(', ') : `${names.slice(0, mostListed).join(', ')} and ${count - mostListed} more`
