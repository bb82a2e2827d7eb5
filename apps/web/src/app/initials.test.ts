import { expect, test } from 'vitest'
import { initialsOf } from './initials.ts'

test.each([
  ['mara@example.org', 'MA'],
  ['a-person@example.org', 'AP'],
  ['jonas.k.weber@example.org', 'JK'],
  ['_x@example.org', 'X'],
  ['+491701234567', '49'],
  ['@', ''],
])('SHL-05 the account of %s is known by %s in the bar', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
