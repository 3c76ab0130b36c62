/** How `holdfast` and `kubectl-ledger` end; scripts go by it. */
export const exitCodes = {
  ok: 0,
  error: 1,
  /** Of `install --check`: what is installed is not what would be. */
  differs: 1,
  /** Of `plan`: there is something that the operator would do. */
  changes: 1,
  usage: 2,
  /** Of a comparison that could not be made: 1 would say that it was, and that something differs. */
  trouble: 2,
  /** Of `install --check`: installing would take something away from objects that are stored. */
  narrows: 3,
  /** There is no key yet, or what was waited for has not come in time. */
  notReady: 3,
  notFound: 4,
  /** The cluster knows us and says no, or does not know us. */
  forbidden: 5,
  /** There is no cluster, or it does not answer. */
  unreachable: 6,
  /** The cluster does not have the kind. */
  notInstalled: 7,
  /** A key does not hold together, or is not the one that it should be. */
  unsound: 8,
  /** Something of that name is there already, or is another than the one that was shown. */
  conflict: 9,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
