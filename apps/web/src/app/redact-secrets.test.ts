import { expect, test } from 'vitest'
import { redactSecrets } from './redact-secrets.ts'

const createSecret = () => crypto.randomUUID().replaceAll('-', '_')

test('T190 the text of an error screen contains no token, no key and no link', () => {
  const secrets = [createSecret(), createSecret(), createSecret(), createSecret(), createSecret()] as const
  const [share, invitation, token, key, jwtPart] = secrets
  const text = `
    https://files.test/s/${share}#${key}
    at https://files.test/invite/${invitation}
    https://files.test/join-org/${invitation}, /accept-invite/${invitation}
    https://files.test/auth/confirm?token_hash=${token}&type=email
    /set-password?token=${token}&email=ann
    Bearer ${jwtPart}.${token}.${key}
    the key ${key} is wrong`

  const redacted = redactSecrets(text)

  for (const secret of secrets) expect(redacted).not.toContain(secret)
  for (const url of [
    'https://files.test/s/short',
    '/join-org/short',
    '/accept-invite/short',
    'https://files.test/?pin=123456',
  ]) {
    expect(redactSecrets(url)).not.toMatch(/short|123456/)
  }
})

test('the location of an error in a stack trace is preserved', () => {
  const text = `TypeError: Failed to fetch dynamically imported module: https://files.test/assets/account-layout-DkE93a_2bX.js
    at commitPassiveMountEffectsInDevelopment (https://files.test/assets/ground-B1zx9Q2a.js:12:34567)`

  expect(redactSecrets(text)).toBe(text)
})
