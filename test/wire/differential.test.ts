import { expect, test } from 'vitest'
import { createClient } from '../../src/kube/client.ts'
import { Informer } from '../../src/kube/informer.ts'
import { ConnectionError } from '../../src/kube/port.ts'
import { Turnstile } from '../../src/kube/turnstile.ts'
import { runSchedule } from './schedule.ts'

const schedules = 5000
const seed = Number(process.env['HOLDFAST_SEED'] ?? 1)

test('after any schedule of writes and faults the cache equals a list, and so do the events it told', async () => {
  const subject = { Informer, createClient, ConnectionError, Turnstile }
  const red: string[] = []
  for (let n = 0; n < schedules; n += 1) {
    const fault = await runSchedule(seed * schedules + n, subject)
    if (fault !== undefined) red.push(`schedule ${seed * schedules + n}: ${fault}`)
    if (red.length > 4) break
  }
  expect(red.join('\n\n')).toBe('')
}, 300_000)
