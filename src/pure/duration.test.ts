import { expect, test } from 'vitest'
import { days, type Duration, milliseconds, minutes, seconds, spanOf } from './duration.ts'

test.each<[text: string, span: Duration | undefined]>([
  ['90d', days(90)],
  ['7d', days(7)],
  ['36h', minutes(36 * 60)],
  ['15m', minutes(15)],
  ['30s', seconds(30)],
  ['0s', seconds(0)],
  ['1h30m', minutes(90)],
  ['1d1h1m1s', milliseconds(90_061_000)],
  ['30m1h', minutes(90)],
  ['', undefined],
  ['90', undefined],
  ['d', undefined],
  ['1.5h', undefined],
  ['-1h', undefined],
  ['1h ', undefined],
  ['1w', undefined],
  ['100ms', undefined],
])('the span %j is %j milliseconds', (text, span) => {
  expect(spanOf(text)).toBe(span)
})
