import { expect, test } from 'vitest'
import { createCredentialHashes } from './credential-hash.ts'

test('T044 a credential is kept as Argon2id text with 19 MiB, two passes and a salt of its own', async () => {
  const hashes = createCredentialHashes()

  const first = await hashes.make('secret')
  const second = await hashes.make('secret')

  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(second).not.toBe(first)
  expect(await hashes.matches(first, 'secret')).toBe(true)
  expect(await hashes.matches(first, 'Secret')).toBe(false)
})

test('a text made by another implementation is understood, and a damaged one is not taken for a wrong secret', async () => {
  const hashes = createCredentialHashes()
  const text = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQxMjM0NTY3OA$oVLnFW4Vdd+KZaNyuHNZYDlTeeRDSkyoACLFGAAhgLc'

  expect(await hashes.matches(text, 'correct horse')).toBe(true)
  expect(await hashes.matches(text, 'correct hors')).toBe(false)
  await expect(hashes.matches(text.slice(0, 60), 'correct horse')).rejects.toThrow('cannot be read')
})

test('nobody has a secret, not even the empty one', async () => {
  const hashes = createCredentialHashes()

  expect(await hashes.matches(null, '')).toBe(false)
})

test('a 64-byte credential differs from its first half', async () => {
  const hashes = createCredentialHashes()
  const text = await hashes.make('a'.repeat(64))

  expect(await hashes.matches(text, 'a'.repeat(32))).toBe(false)
})
