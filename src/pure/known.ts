/** Something that was looked at: what it is, or why that is not known. Neither is ever taken for absence. */
export type Known<T> = { readonly known: T } | { readonly unknown: string }
