import type { EnvVar } from '../../api/ledgerservice/kubernetes.ts'

/**
 * The variables in the order of a container's, where that changes nothing for the process: each has its value whichever
 * comes first. Only a variable that refers to another, as $(NAME), needs that one before it.
 */
export const inOrderOf = (
  found: readonly { readonly name: string }[],
  wanted: readonly EnvVar[],
): readonly EnvVar[] => {
  const places = new Map(found.map(({ name }, place) => [name, place]))
  const isSame = places.size === found.length && found.length === wanted.length
  if (!isSame || wanted.some(({ name }) => !places.has(name))) return wanted
  const placeOf = ({ name }: EnvVar) => places.get(name) ?? 0
  const reordered = wanted.toSorted((one, other) => placeOf(one) - placeOf(other))
  return resolvedIn(reordered) === resolvedIn(wanted) ? reordered : wanted
}

/** Which references of which variables have a value. */
const resolvedIn = (variables: readonly EnvVar[]): string => {
  const places = new Map(variables.map(({ name }, place) => [name, place]))
  const resolved = variables.flatMap(({ name, value = '' }, place) =>
    [...value.matchAll(/\$\(([^)]*)\)/g)]
      .filter(([, other = '']) => (places.get(other) ?? place) < place)
      .map(([reference]) => `${name} ${reference}`),
  )
  return JSON.stringify(resolved.sort())
}
