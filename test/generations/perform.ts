import { has, type Pod, type Service, setOf, type Stored, storedAs, type World, type Write } from './world.ts'

/** The world after a write that found its object as it was seen. */
export const perform = (world: World, write: Write): World => {
  switch (write.do) {
    case 'mint':
      return mint(world, write)
    case 'retire':
      return marked(world, write.key, { retiresIn: write.inTime })
    case 'promote':
      return promote(world, write)
    case 'revoke':
      return { ...marked(world, write.key, { isRevoked: true }), revoked: world.revoked | setOf(write.key) }
    case 'drop':
      return marked(world, write.key, { isDropped: true })
    case 'remember':
      return marked(world, write.key, { remembered: write.remembered })
    case 'end':
      return marked(world, write.key, { isEnding: true })
    case 'delete':
      return backedUp(without(world, write.key), storedAs(world, write.key))
    case 'copy': {
      const copies = world.copies.map((key, place) => (place === write.place ? write.key : key))
      return refusing({ ...world, copies }, (other) => other.do === 'copy' && other.place === write.place)
    }
    case 'list':
      return list(world, write)
    case 'wire':
      return wire(world, write)
    default:
      return write satisfies never
  }
}

/** What operators have in hand for an object that has moved on would be refused: it is as good as forgotten. */
const refusing = (world: World, isRefused: (write: Write) => boolean): World => ({
  ...world,
  operators: world.operators.map((writes) =>
    writes.some(isRefused) ? writes.filter((one) => !isRefused(one)) : writes,
  ),
})

const isAbout =
  (key: number) =>
  (write: Write): boolean =>
    'key' in write && write.key === key

const marked = (world: World, key: number, marks: Partial<Stored>): World => {
  const generations = world.generations.map((one) => (one.key === key ? { ...one, ...marks } : one))
  return refusing({ ...world, generations }, isAbout(key))
}

export const without = (world: World, key: number): World =>
  refusing({ ...world, generations: world.generations.filter((one) => one.key !== key) }, isAbout(key))

/** A backup from before the revocation has the Secret, where the user may still restore it. */
const backedUp = (world: World, stored: Stored | undefined): World => {
  if (stored === undefined || world.left.restores === 0 || !has(world.revoked, stored.key)) return world
  const backups = world.backups.filter(({ key }) => key !== stored.key)
  return { ...world, backups: [...backups, { ...stored, isRevoked: false, isDropped: false, isEnding: false }] }
}

type Do<D extends Write['do']> = Write & { readonly do: D }

const mint = (world: World, write: Do<'mint'>): World => {
  const { number, request, lineage, ancestry, isCurrent, remembered } = write
  const born: Stored = {
    key: world.minted,
    number,
    request,
    lineage,
    ancestry,
    age: 0,
    isPromoted: isCurrent,
    retiresIn: undefined,
    isRevoked: false,
    isDropped: false,
    remembered,
    isEnding: false,
    isLate: world.generations.some((one) => one.number > number),
  }
  const served = request === undefined ? world.served : [...new Set([...world.served, request])].sort()
  return { ...world, minted: world.minted + 1, generations: [...world.generations, born], served }
}

/** With this mark a key is in use: whoever was waited for is now relied on. */
const promote = (world: World, { key, loadedBy }: Do<'promote'>): World => {
  const after = marked(world, key, { isPromoted: true, age: 0, retiresIn: undefined })
  if (loadedBy === undefined) return after
  const services = after.services.map((service) =>
    loadedBy.includes(service.name)
      ? { ...service, pods: service.pods.map((pod) => ({ ...pod, owed: pod.owed | setOf(key) })) }
      : service,
  )
  return { ...after, services, promoted: after.promoted | setOf(key) }
}

/** A service that is not matched, or was not when it was looked at, owes nobody anything. */
export const forgiven = (world: World, name: string): World => ({
  ...world,
  services: world.services.map((service) =>
    service.name === name ? { ...service, pods: service.pods.map((pod) => ({ ...pod, owed: 0 })) } : service,
  ),
  operators: world.operators.map((writes) =>
    writes.map((write) => (write.do === 'promote' ? { ...write, loadedBy: write.loadedBy?.replace(name, '') } : write)),
  ),
})

export const changed = (world: World, name: string, change: (service: Service) => Service): World => ({
  ...world,
  services: world.services.map((service) => (service.name === name ? change(service) : service)),
})

const list = (world: World, { service: name, keys, wasMatched }: Do<'list'>): World => {
  const written = changed(wasMatched ? world : forgiven(world, name), name, (service) => ({
    ...service,
    list: keys,
    dropped: service.dropped | (service.list & ~keys & world.revoked),
    isWired: false,
  }))
  const isOfIt = (write: Write) => (write.do === 'list' || write.do === 'wire') && write.service === name
  return {
    ...written,
    operators: written.operators.map((writes) => {
      if (writes.some((write) => write.do === 'list' && write.service === name)) {
        return writes.filter((write) => !isOfIt(write))
      }
      return writes.map((write) => (write.do === 'wire' && write.service === name ? { ...write, isLate: true } : write))
    }),
  }
}

const wire = (world: World, { service: name, isLate }: Do<'wire'>): World =>
  refusing(
    changed(world, name, (service) => ({
      ...service,
      isWired: !isLate,
      pods: service.pods.map((pod) => ({ ...pod, isNew: false })),
    })),
    (write) => write.do === 'wire' && write.service === name,
  )

/** A pod starts: it loads what is listed now. */
export const started = (service: Service, pod: Pod, isNew: boolean): Pod => ({
  keys: service.list,
  owed: service.isMatched ? pod.owed | service.list : pod.owed,
  isNew,
})

/** Whether a write would be refused although nothing that it changes was seen before. */
export const isTaken = (world: World, write: Write): boolean =>
  write.do === 'mint'
    ? world.generations.some(({ number }) => number === write.number)
    : 'key' in write && storedAs(world, write.key) === undefined

/** Nobody relies any more on a key that is gone, revoked, or past its end with no copy left: it need not be told apart. */
export const tidied = (world: World): World => {
  const relied = setOf(
    ...world.generations
      .filter(({ key, isRevoked, retiresIn }) => !isRevoked && (retiresIn !== 0 || world.copies.includes(key)))
      .map(({ key }) => key),
  )
  const isTidy = world.services.every(({ pods }) => pods.every(({ owed }) => (owed & ~relied) === 0))
  if (isTidy) return world
  const services = world.services.map((service) => ({
    ...service,
    pods: service.pods.map((pod) => ({ ...pod, owed: pod.owed & relied })),
  }))
  return { ...world, services }
}
