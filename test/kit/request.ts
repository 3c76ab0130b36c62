import type { WireRequest } from '../../src/kube/port.ts'

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'apply' | 'mark' | 'delete' | 'status'

/** What a request is about, read off the wire and not off the program that sent it. */
export interface Described {
  readonly verb: Verb
  readonly plural: string
  readonly namespace: string | undefined
  readonly name: string | undefined
}

export const describeRequest = ({ method, path, query, contentType, body }: WireRequest): Described => {
  const [, namespaced, plural = '', name, subresource] =
    /^\/apis?\/(?:[^/]+\/)??v[^/]+(?:\/namespaces\/([^/]+)(?=\/[^/]+))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(
      path,
    ) ?? []
  const created = method === 'POST' ? nameIn(body) : undefined
  // An event's name is made up for it.
  return { verb: verbOf(), plural, namespace: namespaced, name: plural === 'events' ? undefined : (name ?? created) }

  function verbOf(): Verb {
    if (method === 'POST') return 'create'
    if (method === 'DELETE') return 'delete'
    if (method === 'PATCH')
      return subresource === 'status' ? 'status' : contentType?.includes('apply') ? 'apply' : 'mark'
    if (query['watch'] === 'true') return 'watch'
    return name === undefined ? 'list' : 'get'
  }
}

const nameIn = (body: string | undefined): string | undefined => {
  const { metadata } = JSON.parse(body ?? '{}') as { metadata?: { name?: string; generateName?: string } }
  return metadata?.name ?? metadata?.generateName
}

export const isWrite = ({ verb }: Described): boolean => verb !== 'get' && verb !== 'list' && verb !== 'watch'

/** The same for the same request of another run: what a run calls its own is masked. */
export const printRequest = ({ verb, plural, namespace, name }: Described, run: string): string =>
  [verb, plural, [namespace, name].filter(Boolean).join('/')].join(' ').replaceAll(run, '*').trim()
