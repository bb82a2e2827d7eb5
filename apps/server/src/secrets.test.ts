import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSigningKeys, rotateSigningKeys } from './auth/tokens/signing-keys.ts'
import { keepSecretFile, openSecrets } from './secrets.ts'
import { aFolder } from './testing/folder.ts'

const aSecretFolder = () => join(aFolder(), 'secrets')
const modeOf = (path: string) => statSync(path).mode & 0o777

test('the first start makes the secrets, readable by their owner only, and the next one finds them', async () => {
  const folder = aSecretFolder()

  const made = openSecrets(folder)
  const keys = await openSigningKeys(folder)
  const found = openSecrets(folder)
  const keysFound = await openSigningKeys(folder)

  expect(made.salt).toHaveLength(32)
  expect(made.share).toHaveLength(32)
  expect(made.salt.equals(made.share)).toBe(false)
  expect(found).toEqual(made)
  expect(keysFound.kid).toBe(keys.kid)
  expect(readdirSync(folder).sort()).toEqual(['pin.key', 'salt.key', 'session.key', 'share.key', 'tokens.jwks'])
  expect(modeOf(folder)).toBe(0o700)
  for (const name of readdirSync(folder)) expect(modeOf(join(folder, name))).toBe(0o600)
})

test.each([0o640, 0o604, 0o660])('a secret with mode %o stops the start', async (mode) => {
  const folder = aSecretFolder()
  openSecrets(folder)
  await openSigningKeys(folder)
  chmodSync(join(folder, 'salt.key'), mode)
  chmodSync(join(folder, 'tokens.jwks'), mode)

  expect(() => openSecrets(folder)).toThrow('salt.key can be read by others')
  await expect(openSigningKeys(folder)).rejects.toThrow('tokens.jwks can be read by others')
})

test('a secret that lost bytes stops the start instead of being used', () => {
  const folder = aSecretFolder()
  openSecrets(folder)
  writeFileSync(join(folder, 'share.key'), 'short')

  expect(() => openSecrets(folder)).toThrow('share.key is damaged')
})

test('of two processes that start at once, both use the secret that was there first', () => {
  const path = join(aSecretFolder(), 'salt.key')

  const mine = keepSecretFile(path, () => {
    keepSecretFile(path, () => Buffer.from('theirs'))
    return Buffer.from('mine')
  })

  expect(mine.toString()).toBe('theirs')
  expect(readdirSync(join(path, '..'))).toEqual(['salt.key'])
})

test('a key that was replaced still checks tokens, and only the newest signs', async () => {
  const folder = aSecretFolder()
  const old = await openSigningKeys(folder)
  const other = await openSigningKeys(aSecretFolder())
  const path = join(folder, 'tokens.jwks')
  const previous = old.checking.get(old.kid ?? '')?.export({ format: 'jwk' })
  const newest = other.signing.export({ format: 'jwk' })
  writeFileSync(path, JSON.stringify({ keys: [newest, previous] }))

  const rotated = await openSigningKeys(folder)

  expect(rotated.kid).toBe(other.kid)
  expect([...rotated.checking.keys()]).toEqual([other.kid, old.kid])
  expect(JSON.stringify(rotated.published)).not.toContain('"d"')
})

test('rotating makes a new key that signs, and keeps the public half of the one before', async () => {
  const folder = aSecretFolder()
  const before = await openSigningKeys(folder)

  const kid = await rotateSigningKeys(folder)
  const after = await openSigningKeys(folder)

  expect(after.kid).toBe(kid)
  expect(after.kid).not.toBe(before.kid)
  expect([...after.checking.keys()]).toEqual([kid, before.kid])
  const stored = JSON.parse(readFileSync(join(folder, 'tokens.jwks'), 'utf8'))
  expect(stored.keys.map((key: object) => 'd' in key)).toEqual([true, false])
  expect(statSync(join(folder, 'tokens.jwks')).mode & 0o077).toBe(0)
  await rotateSigningKeys(folder)
  expect((await openSigningKeys(folder)).checking.has(before.kid ?? '')).toBe(false)
})
