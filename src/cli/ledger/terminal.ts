/** What the three streams of the process lead to. */
export interface Terminal {
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
}

export const terminal = (): Terminal => ({
  stdin: process.stdin.isTTY,
  stdout: process.stdout.isTTY,
  stderr: process.stderr.isTTY,
})

/** Whether there is somebody to ask: questions go to stderr, answers come from stdin. */
export const canAsk = ({ stdin, stderr }: Terminal): boolean => stdin && stderr

/** How to come to one name when none was given. */
export const nameChoice = (names: readonly string[], at: Terminal): 'none' | 'only' | 'ask' | 'refuse' => {
  if (names.length === 0) return 'none'
  if (names.length === 1) return 'only'
  return canAsk(at) ? 'ask' : 'refuse'
}

/** Whether to go on with what cannot be undone by itself. */
export const consent = (yes: boolean, at: Terminal): 'given' | 'ask' | 'refuse' => {
  if (yes) return 'given'
  return canAsk(at) ? 'ask' : 'refuse'
}

/** A seed on a terminal is in its scrollback for good; a table is for people, wherever it goes. */
export const seedExposure = (
  form: 'table' | 'plain',
  { showSecret, at }: { readonly showSecret: boolean; readonly at: Terminal },
): 'show' | 'mask' | 'refuse' => {
  if (showSecret) return 'show'
  if (form === 'table') return 'mask'
  return at.stdout ? 'refuse' : 'show'
}
