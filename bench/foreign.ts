import { createNamespaces } from '../src/dev/sample-fleet.ts'
import { installCrds } from '../src/dev/install-crds.ts'
import { Secret } from '../src/pure/kind.ts'
import { buildBundle } from '../tools/bundle.ts'
import type { Bench } from './bench.ts'
import { type CaseName, caseNames } from './cases.ts'
import { type Driver, connectDriver } from './driver.ts'
import { timeSubject } from './subjects.ts'
import { median, print, ratio, table } from './table.ts'

const size = 50_000
const namespaces = 50
const atOnce = 64

/** The operator in a cluster of its own and in one with many Secrets that are not its concern. */
export const benchForeign: Bench = async ({ controlPlane, signal, say, rounds, agents }) => {
  await using bundle = await buildBundle(signal)
  const { kubeconfig } = await controlPlane()
  await using driver = connectDriver(kubeconfig, signal)
  await installCrds(driver.client)
  await driver.watch()
  const setting = { driver, size: agents, kubeconfig, bundle: bundle.program, say }
  const measure = async (title: string) => {
    const times: Awaited<ReturnType<typeof timeSubject>>[] = []
    for (let n = 1; n <= rounds; n += 1) {
      say(`${title}: repetition ${n} of ${rounds}`)
      times.push(await timeSubject('operator', setting, `${title}-${n}`))
    }
    return (name: CaseName) => median(times.map((one) => one[name].seconds))
  }
  const alone = await measure('alone')
  say(`creating ${size} foreign Secrets`)
  await createForeign(driver)
  const crowded = await measure('crowded')
  const rows = caseNames.map((name) => [
    name,
    print(alone(name), 2),
    print(crowded(name), 2),
    print(ratio(crowded(name), alone(name)), 2),
  ])
  const head = [`seconds, median of ${rounds}, ${agents} agents`, 'alone', `with ${size} foreign Secrets`, 'ratio']
  return { tables: [table([head, ...rows])] }
}

const createForeign = async ({ client, signal }: Driver): Promise<void> => {
  const names = Array.from({ length: namespaces }, (_, n) => `foreign-${n}`)
  await createNamespaces(client, names)
  let next = 0
  const work = async (): Promise<void> => {
    for (let n = next++; n < size; n = next++) {
      signal.throwIfAborted()
      const metadata = {
        namespace: `foreign-${n % namespaces}`,
        name: `secret-${n}`,
        labels: { app: `app-${n % 100}` },
      }
      const data = { token: Buffer.alloc(200, n).toString('base64') }
      await client.create(Secret, { metadata, type: 'Opaque', data }, 'holdfast-bench')
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
