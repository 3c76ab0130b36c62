import { inspect } from 'node:util'
import { serialize } from 'node:v8'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { revealToWire, SecretText } from './secret-text.ts'

const text = 'open sesame'
const secret = new SecretText(text)
// As a program would take it whose types are wrong.
const mistaken = secret as unknown as string
const anObject: object = secret
const holder = { of: { what: [secret] }, ...anObject }
const failure = Object.assign(new Error('it failed', { cause: new Error('why', { cause: secret }) }), {
  secret,
  holder,
})

const written: string[] = []
const log = pino({ base: null }, { write: (line) => void written.push(line) })

/** What pino makes of it. */
const logged = (write: () => void): string => {
  written.length = 0
  write()
  return written.join('')
}

test('whoever asks for the text by name gets it', () => {
  expect(secret.reveal()).toBe(text)
})

test.for([
  { way: 'a template', print: () => `so: ${mistaken}` },
  { way: 'a sum', print: () => 'so: ' + mistaken },
  { way: 'String', print: () => String(secret) },
  { way: 'JSON', print: () => JSON.stringify({ secret }) },
  { way: 'inspect', print: () => inspect(holder, { depth: null, showHidden: true }) },
  { way: 'inspect with getters and proxies', print: () => inspect(secret, { getters: true, showProxy: true }) },
  { way: 'inspect of a map', print: () => inspect(new Map([[secret, new Set([secret])]]), { depth: null }) },
  { way: 'inspect of an error', print: () => inspect(failure, { depth: null, showHidden: true }) },
  { way: 'a log’s facts', print: () => logged(() => log.info({ secret, holder }, 'message')) },
  { way: 'a log’s error', print: () => logged(() => log.error({ err: failure, failure }, 'message')) },
  { way: 'a log’s message', print: () => logged(() => log.info('%s %o %j', secret, holder, secret)) },
])('$way says only that there is a secret', ({ print }) => {
  const printed = print()
  expect(printed).toContain('[secret]')
  expect(printed).not.toContain('sesame')
})

test.for([
  { way: 'spreading', left: () => ({ ...anObject }) },
  { way: 'cloning', left: () => structuredClone(secret) },
  { way: 'assigning', left: () => Object.assign({}, secret) },
  { way: 'inspecting past its own say', left: () => inspect(secret, { customInspect: false, showHidden: true }) },
  { way: 'naming all its properties', left: () => Object.getOwnPropertyDescriptors(secret) },
  { way: 'serializing', left: () => serialize(secret).toString('latin1') },
])('$way leaves nothing of it', ({ left }) => {
  expect(inspect(left(), { depth: null, showHidden: true })).not.toContain('sesame')
})

test('it is never taken for a text by mistake: bytes cannot be made of it', () => {
  expect(() => Buffer.from(mistaken)).toThrow(TypeError)
})

test('on the wire every value is there, whole and in base64', () => {
  const data = { plain: 'plain', secret: new SecretText('ä€') }
  expect(revealToWire(data)).toEqual({ plain: 'cGxhaW4=', secret: 'w6Tigqw=' })
})
