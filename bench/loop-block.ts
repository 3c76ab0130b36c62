export interface Block {
  readonly milliseconds: number
  /** How much of it this thread was computing: the rest is another program's doing. */
  readonly cpuMilliseconds: number
}

/** Watches for how long the event loop is kept from its timers. The returned function ends it and tells the longest times. */
export const watchForBlocks = (): (() => Block) => {
  let [milliseconds, cpuMilliseconds] = [0, 0]
  let [time, cpu] = [performance.now(), threadCpu()]
  const look = () => {
    const [now, cpuNow] = [performance.now(), threadCpu()]
    milliseconds = Math.max(milliseconds, now - time)
    cpuMilliseconds = Math.max(cpuMilliseconds, cpuNow - cpu)
    time = now
    cpu = cpuNow
  }
  const timer = setInterval(look, 1)
  return () => {
    look()
    clearInterval(timer)
    return { milliseconds, cpuMilliseconds }
  }
}

const threadCpu = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
