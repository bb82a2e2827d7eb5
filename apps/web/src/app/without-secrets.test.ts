import { expect, test } from 'vitest'
import { withoutSecrets } from './without-secrets.ts'

const aSecret = () => crypto.randomUUID().replaceAll('-', '_')

test('T190 what an error screen tells holds no token, no key and no link, wherever they stood', () => {
  const secrets = [aSecret(), aSecret(), aSecret(), aSecret(), aSecret()] as const
  const [share, invitation, token, key, jwtPart] = secrets
  const text = `
    https://files.test/s/${share}#${key}
    at https://files.test/invite/${invitation}
    https://files.test/auth/confirm?token_hash=${token}&type=email
    /set-password?token=${token}&email=ann
    Bearer ${jwtPart}.${token}.${key}
    the key ${key} is wrong`

  const told = withoutSecrets(text)

  for (const one of secrets) expect(told).not.toContain(one)
  for (const short of ['https://files.test/s/short', 'https://files.test/?pin=123456']) {
    expect(withoutSecrets(short)).not.toMatch(/short|123456/)
  }
})

test('what says where something went wrong stays as it is', () => {
  const text = `TypeError: Failed to fetch dynamically imported module: https://files.test/assets/account-layout-DkE93a_2bX.js
    at commitPassiveMountEffectsInDevelopment (https://files.test/assets/ground-B1zx9Q2a.js:12:34567)`

  expect(withoutSecrets(text)).toBe(text)
})
