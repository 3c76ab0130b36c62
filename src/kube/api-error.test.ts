import { describe, expect, test } from 'vitest'
import { seconds } from '../pure/duration.ts'
import { Secret } from '../pure/kind.ts'
import { ApiError, type Asked, errorOfConnection, errorOfReply, isApiError } from './api-error.ts'
import { ConnectionError } from './port.ts'

const key = { namespace: 'a', name: 'n' }
const asked = (verb: Asked['verb']): Asked => ({ verb, kind: Secret, key })
const reply = (status: number, body = '', retryAfter?: number) => ({ status, body, retryAfter })

describe('an answer', () => {
  test.for([
    { status: 409, verb: 'apply', expected: 'conflict' },
    { status: 404, verb: 'delete', reason: 'NotFound', expected: 'gone' },
    { status: 404, verb: 'delete', expected: 'ambiguous' },
    { status: 404, verb: 'list', expected: 'unreachable' },
    { status: 410, verb: 'watch', expected: 'gone' },
    { status: 429, verb: 'create', expected: 'throttled' },
    { status: 403, verb: 'create', expected: 'refused' },
    { status: 403, verb: 'create', details: { causes: [{ reason: 'NamespaceTerminating' }] }, expected: 'terminating' },
    { status: 403, verb: 'apply', details: { causes: [{ reason: 'FieldValueInvalid' }] }, expected: 'refused' },
    { status: 422, verb: 'apply', expected: 'refused' },
    { status: 500, verb: 'get', expected: 'unreachable' },
    { status: 503, verb: 'list', expected: 'unreachable' },
    { status: 504, verb: 'watch', expected: 'unreachable' },
    { status: 500, verb: 'create', expected: 'ambiguous' },
    { status: 503, verb: 'mark', expected: 'ambiguous' },
  ] as const)('of $status to a $verb is $expected', ({ status, verb, expected, ...more }) => {
    expect(errorOfReply(asked(verb), reply(status, JSON.stringify(more)))).toMatchObject({ class: expected, status })
  })

  test('says what was asked, of which object and why', () => {
    const body = JSON.stringify({ reason: 'Forbidden', message: 'hunter2' })
    expect(errorOfReply(asked('create'), reply(403, body)).message).toBe(
      'cannot create Secret a/n: the API server answered 403 Forbidden',
    )
    expect(errorOfReply({ verb: 'list', kind: Secret }, reply(500)).message).toBe(
      'cannot list Secrets: the API server answered 500',
    )
  })

  test('LCA-25 names the fields that are wrong and quotes nothing that was sent', () => {
    const causes = [{ reason: 'FieldValueInvalid', field: 'data[seed.hex]', message: 'hunter2' }, { field: 'type' }, {}]
    const body = JSON.stringify({ reason: 'Invalid', message: 'hunter2', details: { causes } })
    const error = errorOfReply(asked('apply'), reply(422, body))
    expect(error.message).toContain('422 Invalid (FieldValueInvalid data[seed.hex], type, )')
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain('hunter2')
  })

  test.for(['<html>hunter2</html>', 'null', ''])('of a proxy (%s) is told by its status alone', (body) => {
    expect(errorOfReply(asked('get'), reply(502, body)).message).toMatch(/answered 502$/)
  })

  test('may say when to come back', () => {
    expect(errorOfReply(asked('get'), reply(429, '', 7)).retryAfter).toBe(seconds(7))
    expect(errorOfReply(asked('get'), reply(429)).retryAfter).toBeUndefined()
  })
})

describe('a connection that broke', () => {
  test.for([
    { verb: 'create', wasSent: true, expected: 'ambiguous', words: 'the reply was lost (ECONNRESET)' },
    { verb: 'create', wasSent: false, expected: 'unreachable', words: 'the API server is not reachable (ECONNRESET)' },
    { verb: 'get', wasSent: true, expected: 'unreachable', words: 'the API server is not reachable (ECONNRESET)' },
  ] as const)('makes a $verb that was sent ($wasSent) $expected', ({ verb, wasSent, expected, words }) => {
    const error = errorOfConnection(asked(verb), new ConnectionError('ECONNRESET', { wasSent })) as ApiError
    expect(error).toBeInstanceOf(ApiError)
    expect(error.class).toBe(expected)
    expect(error.message).toBe(`cannot ${verb} Secret a/n: ${words}`)
  })

  test('is not what every error is', () => {
    const bug = new TypeError('x is not a function')
    expect(errorOfConnection(asked('get'), bug)).toBe(bug)
  })
})

test('an error is asked for by class', () => {
  const error = errorOfReply(asked('apply'), reply(409))
  expect(isApiError(error)).toBe(true)
  expect(isApiError(error, 'gone', 'conflict')).toBe(true)
  expect(isApiError(error, 'gone')).toBe(false)
  expect(isApiError(new Error('no'), 'conflict')).toBe(false)
})
