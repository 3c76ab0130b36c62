import { describe, expect, test } from 'vitest'
import { consent, nameChoice, seedExposure } from './terminal.ts'

const everywhere = { stdin: true, stdout: true, stderr: true }
const nowhere = { stdin: false, stdout: false, stderr: false }
const piped = { ...everywhere, stdout: false }

describe('a seed', () => {
  test.each<['table' | 'plain', boolean, typeof everywhere, string]>([
    ['plain', false, everywhere, 'refuse'],
    ['plain', false, piped, 'show'],
    ['plain', false, nowhere, 'show'],
    ['plain', true, everywhere, 'show'],
    ['table', false, everywhere, 'mask'],
    ['table', false, nowhere, 'mask'],
    ['table', true, everywhere, 'show'],
    ['table', true, nowhere, 'show'],
  ])('KL-18 as %s, with --show-secret %s, on %o: %s', (form, showSecret, at, exposure) => {
    expect(seedExposure(form, { showSecret, at })).toBe(exposure)
  })
})

describe('without a name', () => {
  test.each<[readonly string[], typeof everywhere, string]>([
    [[], everywhere, 'none'],
    [['a'], nowhere, 'only'],
    [['a'], everywhere, 'only'],
    [['a', 'b'], everywhere, 'ask'],
    [['a', 'b'], piped, 'ask'],
    [['a', 'b'], nowhere, 'refuse'],
    [['a', 'b'], { ...everywhere, stdin: false }, 'refuse'],
    [['a', 'b'], { ...everywhere, stderr: false }, 'refuse'],
  ])('KL-4 of %o, on %o: %s', (names, at, choice) => {
    expect(nameChoice(names, at)).toBe(choice)
  })
})

describe('consent', () => {
  test.each<[boolean, typeof everywhere, string]>([
    [true, nowhere, 'given'],
    [true, everywhere, 'given'],
    [false, everywhere, 'ask'],
    [false, piped, 'ask'],
    [false, nowhere, 'refuse'],
  ])('KL-9 with --yes %s, on %o: %s', (yes, at, given) => {
    expect(consent(yes, at)).toBe(given)
  })
})
