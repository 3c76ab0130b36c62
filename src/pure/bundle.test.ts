import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { printBundle } from './bundle.ts'
import { SecretText } from './secret-text.ts'

const biller = {
  seed: new SecretText('c39a0c7809c6c88fd5574b3ed92d29d97510fea8e213248d284f79383e1544d9'),
  keyId: '53559f2fa4d9f191',
  scopes: ['ledger:read', 'ledger:write'],
  agent: 'biller',
  god: false,
}

const lastLines = (bundle: SecretText): string => bundle.reveal().split('\n').slice(3).join('\n')

test('KL-15 a bundle is byte for byte what the ledger’s own tool writes', () => {
  const recorded = readFileSync(new URL('../../test/fixtures/bundle-biller.json', import.meta.url), 'utf8')

  expect(printBundle(biller).reveal()).toBe(recorded)
})

describe('a bundle', () => {
  test('says god only when the agent is', () => {
    const scopes = ['ledger:read']

    expect(lastLines(printBundle({ ...biller, scopes, god: true }))).toBe(
      '  "scopes": [\n    "ledger:read"\n  ],\n  "subject": "biller",\n  "god": true\n}\n',
    )
  })

  test.each([
    ['null when the spec has none', undefined, 'null'],
    ['an empty list when the spec has one', [], '[]'],
  ])('has as scopes %s', (_, scopes, printed) => {
    expect(lastLines(printBundle({ ...biller, scopes }))).toBe(`  "scopes": ${printed},\n  "subject": "biller"\n}\n`)
  })

  test('escapes what Go escapes', () => {
    const scopes = ['<a>&"b"\\ \u2028\u2029é']

    expect(printBundle({ ...biller, scopes }).reveal()).toContain('"\\u003ca\\u003e\\u0026\\"b\\"\\\\ \\u2028\\u2029é"')
  })

  test('shows nothing of itself', () => {
    expect(String(printBundle(biller))).toBe('[secret]')
  })
})
