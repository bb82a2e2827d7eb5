import { expect, test } from 'vitest'
import { createPasswordHashing, type HashingCaller } from '../../../platform/rate-limit/password-hashing.ts'
import { createCredentialHashes } from './credential-hash.ts'

const caller: HashingCaller = { queue: 'sign-in', address: '192.0.2.1' }

test('T044 a credential is stored as an Argon2id hash with 19 MiB, 2 passes and a salt of its own', async () => {
  const hashes = createCredentialHashes(createPasswordHashing())

  const first = await hashes.create('secret', caller)
  const second = await hashes.create('secret', caller)

  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(second).not.toBe(first)
  expect(await hashes.matches(first, 'secret', caller)).toBe(true)
  expect(await hashes.matches(first, 'Secret', caller)).toBe(false)
})

test('a hash of another implementation is verified, and a damaged one throws instead of not matching', async () => {
  const hashes = createCredentialHashes(createPasswordHashing())
  const text = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQxMjM0NTY3OA$oVLnFW4Vdd+KZaNyuHNZYDlTeeRDSkyoACLFGAAhgLc'

  expect(await hashes.matches(text, 'correct horse', caller)).toBe(true)
  expect(await hashes.matches(text, 'correct hors', caller)).toBe(false)
  await expect(hashes.matches(text.slice(0, 60), 'correct horse', caller)).rejects.toThrow('is malformed')
})

test('a missing hash matches no credential, not even the empty one', async () => {
  const hashes = createCredentialHashes(createPasswordHashing())

  expect(await hashes.matches(null, '', caller)).toBe(false)
})

test('a 64-byte credential is not truncated to its first half', async () => {
  const hashes = createCredentialHashes(createPasswordHashing())
  const text = await hashes.create('a'.repeat(64), caller)

  expect(await hashes.matches(text, 'a'.repeat(32), caller)).toBe(false)
})
