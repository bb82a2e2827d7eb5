import { expect, test } from 'vitest'
import { readRecoveryLink } from './recovery-link.ts'

test('a password link needs a token and to be made for recovery (ACC-15)', () => {
  const said = 'token=abc&type=recovery&email=ann%40example.org'
  const found = { token: 'abc', email: 'ann@example.org' }
  expect(readRecoveryLink({ search: `?${said}`, hash: '' })).toEqual(found)
  expect(readRecoveryLink({ search: '', hash: `#${said}` })).toEqual(found)
  for (const search of ['', '?token=abc', '?type=recovery', '?token=&type=recovery', '?token=abc&type=email']) {
    expect(readRecoveryLink({ search, hash: '' }), search).toBeNull()
  }
})

test('a code of digits says nothing without its address (ACC-15)', () => {
  expect(readRecoveryLink({ search: '?token=123456&type=recovery', hash: '' })).toBeNull()
  expect(readRecoveryLink({ search: '?token=123456&type=recovery&email=a@b.c', hash: '' })).not.toBeNull()
})
