import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { freePorts } from '../../src/dev/control-plane/free-ports.ts'
import { inject } from 'vitest'
import { eventually } from '../../src/dev/eventually.ts'
import { nodeEnvironment, nodeFlags } from '../../tools/node-settings.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The bundled program. */
    readonly bundle: string
  }
}

/** Where the operator of an attacked cluster runs. */
export const operatorNamespace = 'holdfast-system'

const mostLines = 200
const bytesPerMegabyte = 1e6
const bytesPerKibibyte = 1024

/** The bundled `holdfast operator` as a process, with the settings of the image and under the service account of an installation. */
export class OperatorProcess {
  /** Where it serves probes and metrics, also before it is ready. */
  readonly url: string
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  readonly #lines: string[] = []

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.#child = child
    this.#exited = once(child, 'exit')
    for (const output of [child.stdout, child.stderr]) {
      if (output !== null) createInterface(output).on('line', (line) => this.#keep(line))
    }
  }

  static async start(kubeconfig: string): Promise<OperatorProcess> {
    const [port = 0] = await freePorts(1)
    const { POD_NAMESPACE: _, ...inherited } = process.env
    const args = [...nodeFlags, inject('bundle'), 'operator', '--kubeconfig', kubeconfig, '--http-port', String(port)]
    const child = spawn(process.execPath, args, {
      env: { ...inherited, ...nodeEnvironment, POD_NAMESPACE: operatorNamespace },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return new OperatorProcess(`http://127.0.0.1:${port}`, child)
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** What it wrote last: the reason, where it has ended. */
  get lastLines(): string {
    return this.#lines.slice(-8).join('\n').slice(0, 4000)
  }

  /** Its caches are complete, and it leads unless another process does. */
  get isReady(): boolean {
    return this.#lines.some((line) => line.includes('"ready"'))
  }

  async ready(withinMs = 45_000): Promise<void> {
    const question = () => `the operator is ready; it wrote:\n${this.lastLines}`
    await eventually(question, () => !this.isAlive || this.isReady, withinMs)
    this.mustBeAlive()
  }

  async leads(withinMs = 45_000): Promise<void> {
    const isLeading = async () => !this.isAlive || (await this.metric('holdfast_leading')).some((value) => value === 1)
    await eventually('the operator leads', isLeading, withinMs)
    this.mustBeAlive()
  }

  mustBeAlive(): void {
    if (this.isAlive) return
    const { exitCode, signalCode } = this.#child
    throw new Error(`the operator exited with ${exitCode ?? signalCode ?? 'nothing'}:\n${this.lastLines}`)
  }

  /** All samples of a metric; none while it does not serve. */
  async metric(name: string): Promise<readonly number[]> {
    const text = await fetch(`${this.url}/metrics`).then(
      (reply) => reply.text(),
      () => '',
    )
    const isSample = (line: string) => line.startsWith(`${name}{`) || line.startsWith(`${name} `)
    return text
      .split('\n')
      .filter(isSample)
      .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)))
  }

  /** In megabytes: the most that it has had in memory so far. */
  get peakMemory(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')
    const kibibytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]
    return (Number(kibibytes) * bytesPerKibibyte) / bytesPerMegabyte
  }

  /** Asks it to stop, so that another process may lead at once. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await Promise.race([this.#exited, eventually('the operator stops', () => !this.isAlive, 10_000)]).catch(() => {
      this.#child.kill('SIGKILL')
    })
    if (this.isAlive) await this.#exited
  }

  #keep(line: string): void {
    this.#lines.push(line)
    if (this.#lines.length > mostLines) this.#lines.shift()
  }
}
