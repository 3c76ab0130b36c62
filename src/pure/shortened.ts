/** How many entries a list in a status has at most: an object has a size limit, and the fields beside the list matter more. */
export const mostEntries = 100

/**
 * As many entries as a status has room for, in the order that they have. Those of the lowest rank are chosen first, and
 * among equals the first ones.
 */
export const shortened = <T>(
  entries: readonly T[],
  rank: (entry: T) => number = () => 0,
  most: number = mostEntries,
): readonly T[] => {
  if (entries.length <= most) return entries
  const places = entries.map((entry, place) => ({ entry, place, rank: rank(entry) }))
  const chosen = places.sort((a, b) => a.rank - b.rank || a.place - b.place).slice(0, most)
  return chosen.sort((a, b) => a.place - b.place).map(({ entry }) => entry)
}

/** How many entries there are, where not all of them are listed. */
export const countUnlessAll = (all: readonly unknown[], listed: readonly unknown[]): number | undefined =>
  listed.length < all.length ? all.length : undefined
