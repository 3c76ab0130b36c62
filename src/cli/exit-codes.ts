/** How `holdfast` ends; scripts go by it. */
export const exitCodes = {
  ok: 0,
  error: 1,
  /** Of `install --check`: what is installed is not what would be. */
  differs: 1,
  usage: 2,
  /** Of a comparison that could not be made: 1 would say that it was, and that something differs. */
  trouble: 2,
  /** Of `install --check`: installing would take something away from objects that are stored. */
  narrows: 3,
  notFound: 4,
  forbidden: 5,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
