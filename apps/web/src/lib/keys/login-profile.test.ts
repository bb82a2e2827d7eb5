import { expect, test } from 'vitest'
import { signInStrings } from '#/strings/account/sign-in.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { acceptableProfiles, storedProfile, storeProfile } from './login-profile.ts'

const weakerProfileError = { code: 'WEAKER_PROFILE' }
const ann = { email: 'ann@example.org' }
const bob = { email: 'bob@example.org' }

test('a fresh device accepts only the stronger profile, in whatever order they are offered', () => {
  for (const offered of [[2], [1, 2], [2, 1], [3, 2]]) {
    expect(acceptableProfiles(offered, 0)).toEqual([2])
  }
})

test('T032 a fresh device rejects the weaker profile if only the server asks for it', () => {
  expect(() => acceptableProfiles([1], 0)).toThrow(expect.objectContaining(weakerProfileError))
})

test('a fresh device accepts the weaker profile only with the consent of the user, asked after trying the stronger one', () => {
  expect(acceptableProfiles([1, 2], 0, { allowsWeakerProfile: true })).toEqual([1])
  expect(acceptableProfiles([1], 0, { allowsWeakerProfile: true })).toEqual([1])
  expect(acceptableProfiles([2], 0, { allowsWeakerProfile: true })).toEqual([2])
})

test('a device that has used the weaker profile and nothing stronger continues to use it', async () => {
  const storage = createMemoryStorage()
  await storeProfile(1, ann, storage)
  const remembered = await storedProfile(ann, storage)

  expect(acceptableProfiles([1], remembered)).toEqual([1])
  expect(acceptableProfiles([1, 2], remembered)).toEqual([2, 1])
})

test('a server that offers only unknown profiles receives no secret', () => {
  expect(() => acceptableProfiles([3, 99], 0)).toThrow(signInStrings.unknownProfile)
  expect(() => acceptableProfiles([], 0)).toThrow(signInStrings.unknownProfile)
})

test('T032 a device that has used the stronger profile never accepts the weaker one, even with consent', async () => {
  const storage = createMemoryStorage()
  await storeProfile(2, ann, storage)
  await storeProfile(1, ann, storage)
  const remembered = await storedProfile(ann, storage)

  expect(() => acceptableProfiles([1], remembered, { allowsWeakerProfile: true })).toThrow(signInStrings.weakerProfile)
  expect(acceptableProfiles([2, 1], remembered, { allowsWeakerProfile: true })).toEqual([2])
})

test('T032 the profile of one account does not apply to another account on the same device', async () => {
  const storage = createMemoryStorage()
  await storeProfile(1, ann, storage)
  expect(await storedProfile(bob, storage)).toBe(0)

  await storeProfile(2, bob, storage)
  expect(await storedProfile(ann, storage)).toBe(1)
})

test('a phone number identifies the same account with and without a plus sign', async () => {
  const storage = createMemoryStorage()
  await storeProfile(2, { phone: '491701234567' }, storage)

  expect(await storedProfile({ phone: '+491701234567' }, storage)).toBe(2)
})

test('the stored profiles of a device name no account', async () => {
  const storage = createMemoryStorage()
  await storeProfile(2, ann, storage)

  expect(JSON.stringify(Object.entries(storage))).not.toContain('ann')
  expect(storage.key(0)).not.toContain('ann')
})

test('T032 a stronger profile stored for the whole device applies to every account, a weaker one to none', async () => {
  const storage = createMemoryStorage()
  storage.setItem('loginProfile', '2')
  expect(await storedProfile(ann, storage)).toBe(2)

  storage.setItem('loginProfile', '1')
  expect(await storedProfile(ann, storage)).toBe(0)
})
