import { expect, test } from 'vitest'
import { readConfirmationLink } from './confirmation-link.ts'

const readLink = (search: string, hash = '') => readConfirmationLink({ search, hash })

test('the token is read from the query or from the fragment (ACC-14)', () => {
  const expected = { kind: 'token', type: 'email', tokenHash: 'abc' }
  expect(readLink('?token_hash=abc&type=email')).toEqual(expected)
  expect(readLink('', '#token_hash=abc&type=email')).toEqual(expected)
  expect(readLink('?type=email', '#token_hash=abc')).toEqual(expected)
  expect(readLink('', '#token_hash=abc&type=signup')).toEqual({ ...expected, type: 'signup' })
  expect(readLink('', '#token_hash=abc&type=email_change')).toEqual({ ...expected, type: 'email_change' })
})

test('a link without a token or of another type is invalid (ACC-14)', () => {
  for (const search of [
    '',
    '?type=email',
    '?token_hash=abc',
    '?token_hash=abc&type=recovery',
    '?token_hash=&type=email',
  ]) {
    expect(readLink(search), search).toEqual({ kind: 'invalid' })
  }
})

test('an error in the link takes precedence over a token (ACC-14)', () => {
  expect(readLink('?token_hash=abc&type=email', '#error_code=otp_expired&error_description=It+is+over')).toEqual({
    kind: 'refused',
    code: 'otp_expired',
    description: 'It is over',
  })
  expect(readLink('?error_code=otp_expired')).toMatchObject({ description: 'otp_expired' })
})
