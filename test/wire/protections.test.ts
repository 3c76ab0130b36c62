import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { type Protection, protections } from './protections.ts'
import { runSchedule, type Subject } from './schedule.ts'

// Most are missed within the first hundred.
const schedules = 2000
const root = join(import.meta.dirname, '../..')
const mutants = join(root, '.dev/mutants', String(process.pid))

afterAll(() => rmSync(mutants, { recursive: true, force: true }))

/** The code under test without one protection. */
const without = async ({ file, from, to }: Protection, number: number): Promise<Subject> => {
  const copy = join(mutants, String(number))
  mkdirSync(copy, { recursive: true })
  for (const folder of ['kube', 'pure']) cpSync(join(root, 'src', folder), join(copy, folder), { recursive: true })
  const path = join(copy, 'kube', file)
  const parts = readFileSync(path, 'utf8').split(from)
  if (parts.length !== 2) throw new Error(`${file} has the protection ${parts.length - 1} times: ${from}`)
  writeFileSync(path, parts.join(to))
  const load = (module: string) => import(pathToFileURL(join(copy, 'kube', module)).href) as Promise<Subject>
  const [informer, client, port, turnstile] = await Promise.all(
    ['informer.ts', 'client.ts', 'port.ts', 'turnstile.ts'].map(load),
  )
  return { ...informer, ...client, ...port, ...turnstile } as Subject
}

test.each(protections.map((protection, number) => [protection.name, protection, number] as const))(
  'without it the cache goes wrong: %s',
  async (_, protection, number) => {
    const subject = await without(protection, number)
    let fault: string | undefined
    for (let n = 0; n < schedules && fault === undefined; n += 1) fault = await runSchedule(5000 + n, subject)
    expect(fault).toBeDefined()
  },
)
