import { installCrds } from '../src/dev/install-crds.ts'
import { buildBundle } from '../tools/bundle.ts'
import type { Bench } from './bench.ts'
import { countRequests } from './count-requests.ts'
import { connectDriver } from './driver.ts'
import { printRequests, printTimes } from './print.ts'
import { type Setting, timeSubject } from './subjects.ts'

/** The operator beside a bare client that makes the same writes. */
export const benchOperator: Bench = async ({ controlPlane, signal, say, rounds, agents: size }) => {
  await using bundle = await buildBundle(signal)
  const { kubeconfig } = await controlPlane()
  await using driver = connectDriver(kubeconfig, signal)
  await installCrds(driver.client)
  await driver.watch()
  const measured = await measure({ driver, size, kubeconfig, bundle: bundle.program, say }, rounds)
  return { tables: [printTimes(measured, { size, repeat: rounds }), printRequests(measured.requests)] }
}

const measure = async (setting: Setting, repeat: number) => {
  const times = { operator: [], bare: [] } as Record<'operator' | 'bare', Awaited<ReturnType<typeof timeSubject>>[]>
  for (let n = 1; n <= repeat; n += 1) {
    // Turn about, so that neither always finds the fuller etcd.
    for (const subject of n % 2 === 1 ? (['operator', 'bare'] as const) : (['bare', 'operator'] as const)) {
      setting.say(`repetition ${n} of ${repeat}: ${subject}`)
      times[subject].push(await timeSubject(subject, setting, `${subject}-${n}`))
    }
  }
  setting.say('counting the operator’s requests')
  return { ...times, requests: await countRequests(setting) }
}
