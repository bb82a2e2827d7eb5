import { expect, test } from 'vitest'
import { initialsOf } from './initials.ts'

test.each([
  ['mara@example.org', 'MA'],
  ['a-person@example.org', 'AP'],
  ['jonas.k.weber@example.org', 'JK'],
  ['_x@example.org', 'X'],
  ['+491701234567', '49'],
  ['@', ''],
])('SHL-05 the top bar shows the account %s as %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
