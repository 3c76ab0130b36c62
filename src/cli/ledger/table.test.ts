import { expect, test } from 'vitest'
import { printTable } from './table.ts'

test('a table has two spaces between its columns, and none at the end of a line', () => {
  const rows = [
    ['NAME', 'PHASE', 'REASON'],
    ['a', { text: 'Ready', style: 'green' as const }, ''],
    ['longer', 'Pending', 'NoTargets'],
  ]

  expect(printTable(rows)).toBe('NAME    PHASE    REASON\na       Ready\nlonger  Pending  NoTargets\n')
})

test('what an object says cannot steer the terminal of who reads it', () => {
  expect(printTable([['a\u001b[31m\nb\u202ec', 'd']])).toBe('a\ufffd[31m b\ufffdc  d\n')
})
