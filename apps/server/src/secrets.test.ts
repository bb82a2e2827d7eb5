import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSigningKeys, rotateSigningKeys } from './modules/auth/tokens/signing-keys.ts'
import { openSecrets, readOrCreateSecretFile } from './secrets.ts'
import { createTestFolder } from './testing/test-folder.ts'

const createSecretFolder = () => join(createTestFolder(), 'secrets')
const modeOf = (path: string) => statSync(path).mode & 0o777

test('the first start creates secrets readable only by their owner, and the next start reads them', async () => {
  const folder = createSecretFolder()

  const created = openSecrets(folder)
  const keys = await openSigningKeys(folder)
  const found = openSecrets(folder)
  const keysFound = await openSigningKeys(folder)

  expect(created.salt).toHaveLength(32)
  expect(created.share).toHaveLength(32)
  expect(created.salt.equals(created.share)).toBe(false)
  expect(found).toEqual(created)
  expect(keysFound.kid).toBe(keys.kid)
  expect(readdirSync(folder).sort()).toEqual([
    'audit.key',
    'pin.key',
    'salt.key',
    'session.key',
    'share.key',
    'tokens.jwks',
  ])
  expect(modeOf(folder)).toBe(0o700)
  for (const name of readdirSync(folder)) expect(modeOf(join(folder, name))).toBe(0o600)
})

test.each([0o640, 0o604, 0o660])('a secret file with mode %o prevents startup', async (mode) => {
  const folder = createSecretFolder()
  openSecrets(folder)
  await openSigningKeys(folder)
  chmodSync(join(folder, 'salt.key'), mode)
  chmodSync(join(folder, 'tokens.jwks'), mode)

  expect(() => openSecrets(folder)).toThrow('salt.key can be read by others')
  await expect(openSigningKeys(folder)).rejects.toThrow('tokens.jwks can be read by others')
})

test('a truncated secret file prevents startup', () => {
  const folder = createSecretFolder()
  openSecrets(folder)
  writeFileSync(join(folder, 'share.key'), 'short')

  expect(() => openSecrets(folder)).toThrow('share.key is damaged')
})

test('two processes that start at once both use the secret that was created first', () => {
  const path = join(createSecretFolder(), 'salt.key')

  const secret = readOrCreateSecretFile(path, () => {
    readOrCreateSecretFile(path, () => Buffer.from('theirs'))
    return Buffer.from('mine')
  })

  expect(secret.toString()).toBe('theirs')
  expect(readdirSync(join(path, '..'))).toEqual(['salt.key'])
})

test('a replaced signing key still verifies tokens, and only the newest key signs', async () => {
  const folder = createSecretFolder()
  const old = await openSigningKeys(folder)
  const other = await openSigningKeys(createSecretFolder())
  const path = join(folder, 'tokens.jwks')
  const previous = old.verificationKeys.get(old.kid ?? '')?.export({ format: 'jwk' })
  const newest = other.signingKey.export({ format: 'jwk' })
  writeFileSync(path, JSON.stringify({ keys: [newest, previous] }))

  const rotated = await openSigningKeys(folder)

  expect(rotated.kid).toBe(other.kid)
  expect([...rotated.verificationKeys.keys()]).toEqual([other.kid, old.kid])
  expect(JSON.stringify(rotated.publicKeys)).not.toContain('"d"')
})

test('key rotation creates a new signing key and keeps the previous public key', async () => {
  const folder = createSecretFolder()
  const before = await openSigningKeys(folder)

  const kid = await rotateSigningKeys(folder)
  const after = await openSigningKeys(folder)

  expect(after.kid).toBe(kid)
  expect(after.kid).not.toBe(before.kid)
  expect([...after.verificationKeys.keys()]).toEqual([kid, before.kid])
  const stored = JSON.parse(readFileSync(join(folder, 'tokens.jwks'), 'utf8'))
  expect(stored.keys.map((key: object) => 'd' in key)).toEqual([true, false])
  expect(statSync(join(folder, 'tokens.jwks')).mode & 0o077).toBe(0)
  await rotateSigningKeys(folder)
  expect((await openSigningKeys(folder)).verificationKeys.has(before.kid ?? '')).toBe(false)
})
