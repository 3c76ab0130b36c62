/** Resolves with the signal when somebody asks the program to stop: Ctrl-C, or the kubelet. */
export const untilAskedToStop = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal))
  })
