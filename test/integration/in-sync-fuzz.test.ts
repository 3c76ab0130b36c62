import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isApiError } from '../../src/kube/api-error.ts'
import { isInSync, withAppliedMark } from '../../src/pure/in-sync.ts'
import type { Succession } from '../../src/pure/managed-fields.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { aSuite, type Suite } from '../kit/suite.ts'
import { bodies } from './in-sync/bodies.ts'
import { type Edit, editing, formerManager, patchOf } from './in-sync/edits.ts'
import { kindNames, kinds, type KindName } from './in-sync/kinds.ts'
import { labels, name, text } from './in-sync/pod.ts'
import { patch, changesOfApply } from './in-sync/server.ts'
import { keepUntilDone, type Wish, wishOf } from './in-sync/wish.ts'

const manager = 'holdfast-test'
const objectsOfAKind = 20
// Another number explores; this one is what everybody tests.
const seed = Number(process.env['HOLDFAST_SEED'] ?? 20_261_116)

const lifeOf = (kindName: KindName) =>
  fc.record({
    born: fc.constantFrom('by POST', 'by apply'),
    labels,
    annotations: fc.dictionary(name, text, { maxKeys: 2 }),
    body: bodies[kindName],
    // Where nothing is put right, the next edit meets what the last one left.
    edits: fc.array(fc.record({ edit: editing, isPutRight: fc.boolean() }), { minLength: 6, maxLength: 6 }),
  })

class Tally {
  objects = 0
  edits = 0
  accepted = 0
  inSync = 0
  outOfSync = 0
  putRight = 0
  /** What others did leaves no room for what we want, and the server says so. */
  irreconcilable = 0
}

/** One object among others who edit it; each look at it compares our verdict with the server's. */
class Life {
  readonly #suite: Suite
  readonly #keeping: Succession
  readonly #wish: Wish
  readonly #tally: Tally
  /** As the last write left it. */
  #seen: KubeObject | undefined

  constructor(suite: Suite, keeping: Succession, wish: Wish, tally: Tally) {
    this.#suite = suite
    this.#keeping = keeping
    this.#wish = wish
    this.#tally = tally
  }

  get #marked() {
    return withAppliedMark(this.#wish.desired)
  }

  get #key() {
    return this.#wish.desired.metadata
  }

  async begin(born: 'by POST' | 'by apply'): Promise<void> {
    const { kind } = this.#keeping
    const sent = this.#wish.sent(this.#marked)
    if (born === 'by POST') await this.#suite.client.create(kind, sent, manager)
    else expect(await patch(kind, this.#key, { as: 'apply-patch', body: sent }, manager)).toBeTypeOf('object')
    this.#tally.objects += 1
    await this.#look()
  }

  async #look(): Promise<KubeObject> {
    const live = await this.#suite.client.get(this.#keeping.kind, this.#key)
    if (live === undefined) throw new Error('it is gone')
    this.#seen = live
    return live
  }

  /** Whether the server took it. */
  async suffer(edit: Edit): Promise<boolean> {
    this.#tally.edits += 1
    const change = patchOf(this.#seen ?? (await this.#look()), edit)
    if (change === undefined) return false
    const edited = await patch(this.#keeping.kind, this.#key, change, edit.by)
    if (typeof edited === 'number') return false
    this.#tally.accepted += 1
    this.#seen = change.subresource === undefined ? edited : undefined
    return true
  }

  async compareVerdicts(after: string): Promise<boolean> {
    const live = this.#seen ?? (await this.#look())
    const changes = await changesOfApply(this.#keeping.kind, live, this.#wish.sent(this.#marked), manager)
    if (changes === 'moved') {
      await this.#look()
      return this.compareVerdicts(after)
    }
    const verdict = isInSync(live, this.#marked, manager)
    expect({ after, changes, isInSync: verdict }).toEqual({ after, changes, isInSync: changes.length === 0 })
    this.#tally[verdict ? 'inSync' : 'outOfSync'] += 1
    return verdict
  }

  /** Whether the server allows it. */
  async putRight(): Promise<boolean> {
    try {
      const { live } = await keepUntilDone(this.#suite.client, this.#keeping, this.#wish)
      this.#seen = live
      this.#tally.putRight += 1
      return true
    } catch (error) {
      if (!isApiError(error)) throw error
      this.#tally.irreconcilable += 1
      await this.#look()
      return false
    }
  }

  async end(): Promise<void> {
    await this.#suite.user.delete(this.#keeping.kind, this.#key)
  }
}

test.concurrent.for(kindNames)(
  'a %s is in sync exactly when a forced apply would change nothing',
  { timeout: 240_000 },
  async (kindName) => {
    await using suite = await aSuite([])
    const tally = new Tally()
    const keeping = { kind: kinds[kindName], manager, predecessors: [formerManager] }
    let made = 0
    const lives = fc.asyncProperty(lifeOf(kindName), async ({ born, labels, annotations, body, edits }) => {
      made += 1
      const metadata = { namespace: suite.operatorNamespace, name: `object-${made}`, labels, annotations }
      const life = new Life(suite, keeping, wishOf(keeping, metadata, body), tally)
      await life.begin(born)
      try {
        await life.compareVerdicts(born)
        for (const { edit, isPutRight } of edits) {
          if (!(await life.suffer(edit))) continue
          const isFine = await life.compareVerdicts(edit.what)
          if (!isFine && isPutRight && (await life.putRight())) await life.compareVerdicts('being put right')
        }
      } finally {
        await life.end()
      }
    })
    await fc.assert(lives, { seed, numRuns: objectsOfAKind, endOnFailure: true })
    console.log(`seed ${seed} ${kindName.padEnd(14)} ${JSON.stringify(tally)}`)
    expect(tally.inSync).toBeGreaterThan(0)
    expect(tally.outOfSync).toBeGreaterThan(0)
    expect(tally.putRight).toBeGreaterThan(tally.irreconcilable)
    expect(tally.accepted).toBeGreaterThan(tally.edits / 3)
  },
)
