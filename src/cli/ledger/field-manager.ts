/** Under this name the API server remembers who has written a field. */
export const manager = 'kubectl-ledger'
