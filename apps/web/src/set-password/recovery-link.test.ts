import { expect, test } from 'vitest'
import { readRecoveryLink } from './recovery-link.ts'

test('a password link needs a token and to be made for recovery (ACC-15)', () => {
  expect(readRecoveryLink({ search: '?token=abc&type=recovery&email=ann%40example.org' })).toEqual({
    token: 'abc',
    email: 'ann@example.org',
  })
  for (const search of ['', '?token=abc', '?type=recovery', '?token=&type=recovery', '?token=abc&type=email']) {
    expect(readRecoveryLink({ search }), search).toBeNull()
  }
})

test('a code of digits says nothing without its address (ACC-15)', () => {
  expect(readRecoveryLink({ search: '?token=123456&type=recovery' })).toBeNull()
  expect(readRecoveryLink({ search: '?token=123456&type=recovery&email=a@b.c' })).not.toBeNull()
})
