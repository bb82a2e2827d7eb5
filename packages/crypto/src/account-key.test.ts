import { expect, test } from 'vitest'
import {
  createAccountKey,
  deriveKeyEncryptionKey,
  deriveMasterKey,
  unwrapAccountKey,
  wrapAccountKey,
} from './account-key.ts'
import { deriveLoginSecrets, isDerivedCredential } from './login-secret.ts'
import { expectCryptoError } from './testing/check.ts'

const userId = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f'
const salt = Uint8Array.from({ length: 16 }, (_, index) => index)

async function keyEncryptionKeyOf(password: string, { profile = 1 as 1 | 2, id = userId } = {}) {
  const [masterKey, { wrapSecret }] = await Promise.all([
    deriveMasterKey(password, id),
    deriveLoginSecrets({ password, salt, profile }),
  ])
  return deriveKeyEncryptionKey({ masterKey, wrapSecret, userId: id })
}

test('the account key opens only with the right password', async () => {
  const accountKey = createAccountKey()
  const keyEncryptionKey = await keyEncryptionKeyOf('open sesame')
  const wrappedKey = await wrapAccountKey({ keyEncryptionKey, accountKey, userId, keyVersion: 1 })
  const unwrap = async (password: string) =>
    unwrapAccountKey({ keyEncryptionKey: await keyEncryptionKeyOf(password), wrappedKey, userId, keyVersion: 1 })

  expect(wrappedKey).toMatch(/^[A-Za-z0-9_-]{80}$/)
  expect(await unwrap('open sesame')).toEqual(accountKey)
  await expectCryptoError(() => unwrap('open sesame '), 'wrong-key')
})

test('an account key wrapped under one profile does not open under the other', async () => {
  const accountKey = createAccountKey()
  const keyEncryptionKey = await keyEncryptionKeyOf('open sesame', { profile: 2 })
  const wrappedKey = await wrapAccountKey({ keyEncryptionKey, accountKey, userId, keyVersion: 1 })
  const other = await keyEncryptionKeyOf('open sesame', { profile: 1 })

  expect(await unwrapAccountKey({ keyEncryptionKey, wrappedKey, userId, keyVersion: 1 })).toEqual(accountKey)
  const unwrap = () => unwrapAccountKey({ keyEncryptionKey: other, wrappedKey, userId, keyVersion: 1 })
  await expectCryptoError(unwrap, 'wrong-key')
})

test.each([
  ['composed and decomposed', 'Pässwörd', 'Pa\u0308sswo\u0308rd', true],
  ['a ligature and its letters', 'ﬁnal', 'final', true],
  ['wide digits and plain ones', '１２３４', '1234', true],
  ['with and without a leading space', ' secret', 'secret', false],
  ['with and without a trailing space', 'secret ', 'secret', false],
  ['upper and lower case', 'Secret', 'secret', false],
  ['an emoji with and without a skin tone', '👋', '👋🏽', false],
])('T031 passwords, %s: %j and %j derive the same key: %s', async (_what, left, right, isSame) => {
  const keys = await Promise.all([left, right].map((password) => deriveMasterKey(password, userId)))

  expect(keys[0]?.toHex() === keys[1]?.toHex()).toBe(isSame)
})

test.each(['x', 'x'.repeat(1000), '🔑'])('T031 a password may have any length: %j', async (password) => {
  const { credential } = await deriveLoginSecrets({ password, salt, profile: 1 })

  expect(credential).toMatch(/^Zk1\.[A-Za-z0-9_-]{43}$/)
  expect(isDerivedCredential(credential)).toBe(true)
})

test('the credential contains neither the password nor the wrap secret nor the master key', async () => {
  const password = 'correct horse battery staple'
  const masterKey = await deriveMasterKey(password, userId)

  const { credential, wrapSecret } = await deriveLoginSecrets({ password, salt, profile: 1 })

  for (const secret of [wrapSecret, masterKey]) {
    expect(credential).not.toContain(secret.toBase64({ alphabet: 'base64url', omitPadding: true }))
  }
  expect(credential).not.toContain(password)
})

test('the salt and the profile both change the credential', async () => {
  const otherSalt = salt.map((byte) => byte ^ 1)
  const derive = async (input: { salt: Uint8Array; profile: 1 | 2 }) =>
    (await deriveLoginSecrets({ password: 'x', ...input })).credential

  const credentials = await Promise.all([
    derive({ salt, profile: 1 }),
    derive({ salt: otherSalt, profile: 1 }),
    derive({ salt, profile: 2 }),
  ])

  expect(new Set(credentials.map((credential) => credential.slice(4))).size).toBe(3)
})

test.each([
  'correct horse battery staple',
  '',
  'Zk1.',
  `Zk1.${'A'.repeat(42)}`,
  `Zk1.${'A'.repeat(44)}`,
  `zk1.${'A'.repeat(43)}`,
  `Zk.${'A'.repeat(43)}`,
  `Zk1.${'A'.repeat(42)}=`,
  `Zk1.${'A'.repeat(43)}\n`,
  ` Zk1.${'A'.repeat(43)}`,
])('%j is not a derived credential', (text) => {
  expect(isDerivedCredential(text)).toBe(false)
})
