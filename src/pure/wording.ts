const mostListed = 5

/** Names in a sentence: all of a few, the first of many. */
export const listed = (names: readonly string[]): string =>
  names.length <= mostListed
    ? names.join(', ')
    : `${names.slice(0, mostListed).join(', ')} and ${names.length - mostListed} more`
