import { expect, test } from 'vitest'
import { readConfirmationLink } from './confirmation-link.ts'

const link = (search: string, hash = '') => readConfirmationLink({ search, hash })

test('the token is read from the query as well as from the fragment (ACC-14)', () => {
  const found = { kind: 'token', tokenHash: 'abc' }
  expect(link('?token_hash=abc&type=email')).toEqual(found)
  expect(link('', '#token_hash=abc&type=email')).toEqual(found)
  expect(link('?type=email', '#token_hash=abc')).toEqual(found)
})

test('without a token, or for another use, a link is invalid (ACC-14)', () => {
  for (const search of [
    '',
    '?type=email',
    '?token_hash=abc',
    '?token_hash=abc&type=recovery',
    '?token_hash=&type=email',
  ]) {
    expect(link(search), search).toEqual({ kind: 'invalid' })
  }
})

test('an error in the link counts more than a token (ACC-14)', () => {
  expect(link('?token_hash=abc&type=email', '#error_code=otp_expired&error_description=It+is+over')).toEqual({
    kind: 'refused',
    code: 'otp_expired',
    description: 'It is over',
  })
  expect(link('?error_code=otp_expired')).toMatchObject({ description: 'otp_expired' })
})
