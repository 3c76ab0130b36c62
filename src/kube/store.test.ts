import { expect, test } from 'vitest'
import { type KubeObject, keyOf, printKey } from '../pure/object.ts'
import { Store } from './store.ts'

const anObject = (name: string, resourceVersion: string, { uid = `uid-${name}`, team = 'x' } = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'a', name, uid, resourceVersion, labels: { team } },
})

const aStore = (...objects: readonly KubeObject[]) => {
  const store = new Store<KubeObject>({ team: ({ metadata }) => [metadata.labels?.['team'] ?? ''] })
  const changes: string[] = []
  const print = (object: KubeObject | undefined) =>
    object === undefined ? '-' : `${object.metadata.name}@${object.metadata.resourceVersion}`
  for (const object of objects) store.shown(object)
  store.onChange((before, after) => void changes.push(`${print(before)} → ${print(after)}`))
  const toldAll = (...everything: Parameters<typeof store.toldAll>) => void store.toldAll(...everything).toArray()
  return { store, toldAll, changes, versions: () => store.list().map(print) }
}

test('what was seen is found by its key', () => {
  const object = anObject('n', '1')
  const { store } = aStore(object)
  expect(store.get(printKey(keyOf(object)))).toBe(object)
  expect(store.get('a/other')).toBeUndefined()
})

test('what comes later by version wins, and an echo is no change', () => {
  const { store, changes, versions } = aStore(anObject('n', '9'))
  store.told(anObject('n', '10'))
  store.told(anObject('n', '10'))
  store.told(anObject('n', '9'))
  expect(versions()).toEqual(['n@10'])
  expect(changes).toEqual(['n@9 → n@10'])
})

test('an object is found by its index, and no longer when it has moved on', () => {
  const { store } = aStore(anObject('n', '1', { team: 'x' }), anObject('m', '1', { team: 'x' }))
  store.told(anObject('n', '2', { team: 'y' }))
  expect(store.find('team', 'x').map(({ metadata }) => metadata.name)).toEqual(['m'])
  expect(store.find('team', 'y').map(({ metadata }) => metadata.name)).toEqual(['n'])
  store.toldLeft(anObject('n', '3', { team: 'y' }))
  expect(store.find('team', 'y')).toEqual([])
  expect(store.find('team', 'nobody')).toEqual([])
})

test('an object that leaves is gone, unless something newer was seen', () => {
  const { store, changes, versions } = aStore(anObject('n', '5'))
  store.toldLeft(anObject('n', '4'))
  expect(versions()).toEqual(['n@5'])
  store.toldLeft(anObject('n', '6'))
  store.toldLeft(anObject('n', '6'))
  expect(versions()).toEqual([])
  expect(changes).toEqual(['n@5 → -'])
})

test('what we deleted does not come back by an event that was on its way', () => {
  const { store, versions } = aStore(anObject('n', '5'))
  store.gone('a/n', 'uid-n')
  store.told(anObject('n', '6'))
  expect(versions()).toEqual([])
})

test('what is made anew under the name that we deleted is seen', () => {
  const { store, versions } = aStore(anObject('n', '5'))
  store.gone('a/n', 'uid-n')
  store.told(anObject('n', '7', { uid: 'another' }))
  store.toldLeft(anObject('n', '6'))
  expect(versions()).toEqual(['n@7'])
})

test('deleting one object does not take away another of the same name', () => {
  const { store, versions } = aStore(anObject('n', '5', { uid: 'another' }))
  store.gone('a/n', 'uid-n')
  store.gone('a/unknown', 'uid-n')
  expect(versions()).toEqual(['n@5'])
})

test('a list takes away what it lacks and brings what it has', () => {
  const { store, toldAll, changes, versions } = aStore(anObject('gone', '5'), anObject('kept', '6'))
  const { knowledge } = store
  store.shown(anObject('newer', '30'))
  toldAll([anObject('kept', '6'), anObject('fresh', '9')], '20', knowledge)
  expect(versions()).toEqual(['kept@6', 'newer@30', 'fresh@9'])
  expect(changes).toEqual(['- → newer@30', '- → fresh@9', 'gone@5 → -'])
})

test('a list of some objects says nothing of the others', () => {
  const { store, versions } = aStore(anObject('mine', '5'), anObject('other', '5', { team: 'y' }))
  store.toldNoneBut(
    new Set(),
    store.list().filter(({ metadata }) => metadata.labels?.['team'] === 'x'),
    '20',
  )
  expect(versions()).toEqual(['other@5'])
})

test('a list that still has what we deleted does not bring it back, and one without it lets it be forgotten', () => {
  const { store, toldAll, versions } = aStore(anObject('n', '5'))
  const { knowledge } = store
  store.gone('a/n', 'uid-n')
  toldAll([anObject('n', '6')], '6', knowledge)
  expect(versions()).toEqual([])
  toldAll([], '8', store.knowledge)
  store.told(anObject('n', '9'))
  expect(versions()).toEqual(['n@9'])
})

test('a read that was answered before the watch told of the end does not bring a ghost', () => {
  const { store, versions } = aStore(anObject('n', '5'))
  store.toldLeft(anObject('n', '7'))
  store.shown(anObject('n', '5'))
  expect(versions()).toEqual([])
})

test('what we wrote is there before the watch has come to it', () => {
  const { store, versions } = aStore(anObject('n', '5'))
  store.shown(anObject('m', '6'))
  expect(versions()).toEqual(['n@5', 'm@6'])
  store.toldVersion('9')
  store.shown(anObject('late', '8'))
  store.shown(anObject('n', '8'))
  expect(versions()).toEqual(['n@8', 'm@6'])
})

test('what a live read shows was not deleted after all', () => {
  const { store, versions } = aStore(anObject('n', '5'))
  store.gone('a/n', 'uid-n')
  store.shown(anObject('n', '6'))
  expect(versions()).toEqual(['n@6'])
})

test('a version that is told late takes nothing back', () => {
  const { store, toldAll } = aStore()
  toldAll([], '20', store.knowledge)
  store.toldVersion('15')
  expect(store.version).toBe('20')
})

test('everything at an earlier version means that the server was taken back: what it does not have is forgotten', () => {
  const { store, toldAll, versions } = aStore(anObject('n', '5'), anObject('m', '9'), anObject('o', '7'))
  toldAll([anObject('n', '5'), anObject('o', '3')], '6', store.knowledge)
  expect(versions()).toEqual(['n@5', 'o@3'])
  store.told(anObject('n', '7'))
  expect(versions()).toEqual(['n@7', 'o@3'])
})

test('what we deleted and a list asked for afterwards still has, was brought back', () => {
  const { store, toldAll, versions } = aStore(anObject('n', '5'))
  store.gone('a/n', 'uid-n')
  toldAll([anObject('n', '5')], '6', store.knowledge)
  expect(versions()).toEqual(['n@5'])
})

test('what happens while everything is taken in counts: what we deleted stays away, what we wrote later stays', () => {
  const { store, versions } = aStore(anObject('n', '5'))
  const steps = store.toldAll([anObject('m', '6'), anObject('n', '5'), anObject('o', '7')], '8', store.knowledge)
  steps.next()
  store.gone('a/m', 'uid-m')
  store.gone('a/o', 'uid-o')
  store.shown(anObject('n', '9'))
  store.shown(anObject('p', '10'))
  void steps.toArray()
  expect(versions()).toEqual(['n@9', 'p@10'])
})

test('what a late answer shows while everything is taken in is gone if it is not among it', () => {
  const { store, versions } = aStore()
  const steps = store.toldAll([anObject('m', '6'), anObject('n', '7')], '8', store.knowledge)
  steps.next()
  store.shown(anObject('early', '4'))
  for (let step = 0; step < 2; step += 1) steps.next()
  store.shown(anObject('late', '5'))
  void steps.toArray()
  expect(versions()).toEqual(['m@6', 'n@7'])
})

test('a store has not come to a version before everything is in', () => {
  const { store } = aStore()
  const steps = store.toldAll([anObject('m', '6')], '8', store.knowledge)
  steps.next()
  expect(store.version).toBeUndefined()
  void steps.toArray()
  expect(store.version).toBe('8')
})

test('a server that was restored with its versions moved on is believed, object by object', () => {
  const { store, toldAll, versions } = aStore(anObject('n', '9'), anObject('m', '5'))
  toldAll([anObject('n', '4'), anObject('m', '5')], '1000', store.knowledge)
  expect(versions().sort()).toEqual(['m@5', 'n@4'])
})
