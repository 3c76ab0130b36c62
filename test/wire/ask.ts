import type { Port, WireReply, WireRequest } from '../../src/kube/port.ts'

export const aGet: WireRequest = { method: 'GET', path: '/x', query: {}, accept: 'application/json' }

export const aPost: WireRequest = { ...aGet, method: 'POST', contentType: 'application/json', body: '{}' }

const never = new AbortController().signal

export const ask = (port: Port, request: WireRequest = aGet): Promise<WireReply> => port.call(request, never)
