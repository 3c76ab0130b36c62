import { InvalidArgumentError } from 'commander'

export interface LedgerImage {
  readonly repository: string
  readonly tag: string
}

/** Takes an image with its tag from a command line. A colon before the last slash is that of a port. */
export const taggedImage = (reference: string): LedgerImage => {
  if (reference.includes('@')) throw new InvalidArgumentError('It has a digest: name a tag instead, REPOSITORY:TAG.')
  const [, repository, tag] = /^([\w.-]+(?::\d+(?=\/))?(?:\/[\w.-]+)*):(\w[\w.-]{0,127})$/.exec(reference) ?? []
  if (repository !== undefined && tag !== undefined) return { repository, tag }
  throw new InvalidArgumentError('It is no image with a tag: write REPOSITORY:TAG.')
}
