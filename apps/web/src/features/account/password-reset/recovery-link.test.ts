import { expect, test } from 'vitest'
import { readRecoveryLink } from './recovery-link.ts'

test('a password link needs a token and the type recovery (ACC-15)', () => {
  const params = 'token=abc&type=recovery&email=ann%40example.org'
  const expected = { token: 'abc', email: 'ann@example.org' }
  expect(readRecoveryLink({ search: `?${params}`, hash: '' })).toEqual(expected)
  expect(readRecoveryLink({ search: '', hash: `#${params}` })).toEqual(expected)
  for (const search of ['', '?token=abc', '?type=recovery', '?token=&type=recovery', '?token=abc&type=email']) {
    expect(readRecoveryLink({ search, hash: '' }), search).toBeNull()
  }
})

test('a numeric code is valid only with an email address (ACC-15)', () => {
  expect(readRecoveryLink({ search: '?token=123456&type=recovery', hash: '' })).toBeNull()
  expect(readRecoveryLink({ search: '?token=123456&type=recovery&email=a@b.c', hash: '' })).not.toBeNull()
})
