import { PassThrough } from 'node:stream'
import { WriteStream } from 'node:tty'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { paint } from './paint.ts'

const stream = (isTTY: boolean) =>
  Object.assign(new PassThrough(), {
    isTTY,
    getColorDepth: WriteStream.prototype.getColorDepth.bind(undefined),
  }) as unknown as NodeJS.WriteStream

beforeEach(() => {
  for (const name of ['NO_COLOR', 'NODE_DISABLE_COLORS', 'FORCE_COLOR', 'CI']) vi.stubEnv(name, undefined)
  vi.stubEnv('TERM', 'xterm-256color')
})

afterEach(() => vi.unstubAllEnvs())

test('a terminal gets colours', () => {
  expect(paint(stream(true), 'red', 'x')).toBe('\u001b[31mx\u001b[39m')
})

test('what is no terminal gets none, also when colours are forced', () => {
  vi.stubEnv('FORCE_COLOR', '1')
  expect(paint(stream(false), 'red', 'x')).toBe('x')
})

test('NO_COLOR keeps them from a terminal too', () => {
  vi.stubEnv('NO_COLOR', '1')
  expect(paint(stream(true), 'red', 'x')).toBe('x')
})
