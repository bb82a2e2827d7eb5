import { expect, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { signInWords } from '#/words/sign-in.ts'
import { acceptableProfiles, rememberedProfile, rememberProfile } from './login-profile.ts'

const weaker = { code: 'WEAKER_PROFILE' }
const ann = { email: 'ann@example.org' }
const bob = { email: 'bob@example.org' }

test('a fresh device takes the stronger profile only, in whatever order they are offered', () => {
  for (const offered of [[2], [1, 2], [2, 1], [3, 2]]) {
    expect(acceptableProfiles(offered, 0)).toEqual([2])
  }
})

test('T032 a fresh device does not take the weaker profile at the word of the server', () => {
  expect(() => acceptableProfiles([1], 0)).toThrow(expect.objectContaining(weaker))
})

test('a fresh device takes the weaker profile alone with the word of the person, who was asked after the stronger one', () => {
  expect(acceptableProfiles([1, 2], 0, { mayUseWeaker: true })).toEqual([1])
  expect(acceptableProfiles([1], 0, { mayUseWeaker: true })).toEqual([1])
  expect(acceptableProfiles([2], 0, { mayUseWeaker: true })).toEqual([2])
})

test('a device that has used the weaker profile and nothing stronger goes on using it', async () => {
  const storage = createMemoryStorage()
  await rememberProfile(1, ann, storage)
  const remembered = await rememberedProfile(ann, storage)

  expect(acceptableProfiles([1], remembered)).toEqual([1])
  expect(acceptableProfiles([1, 2], remembered)).toEqual([2, 1])
})

test('a server that offers only unknown profiles gets no secret', () => {
  expect(() => acceptableProfiles([3, 99], 0)).toThrow(signInWords.unknownProfile)
  expect(() => acceptableProfiles([], 0)).toThrow(signInWords.unknownProfile)
})

test('T032 a device that has used the stronger profile never takes the weaker one, whatever the person says', async () => {
  const storage = createMemoryStorage()
  await rememberProfile(2, ann, storage)
  await rememberProfile(1, ann, storage)
  const remembered = await rememberedProfile(ann, storage)

  expect(() => acceptableProfiles([1], remembered, { mayUseWeaker: true })).toThrow(signInWords.weakerProfile)
  expect(acceptableProfiles([2, 1], remembered, { mayUseWeaker: true })).toEqual([2])
})

test('T032 the profile of one account is not taken for another account on the same device', async () => {
  const storage = createMemoryStorage()
  await rememberProfile(1, ann, storage)
  expect(await rememberedProfile(bob, storage)).toBe(0)

  await rememberProfile(2, bob, storage)
  expect(await rememberedProfile(ann, storage)).toBe(1)
})

test('a number is the same account with and without a plus sign', async () => {
  const storage = createMemoryStorage()
  await rememberProfile(2, { phone: '491701234567' }, storage)

  expect(await rememberedProfile({ phone: '+491701234567' }, storage)).toBe(2)
})

test('what remembers the profiles of a device names no account', async () => {
  const storage = createMemoryStorage()
  await rememberProfile(2, ann, storage)

  expect(JSON.stringify(Object.entries(storage))).not.toContain('ann')
  expect(storage.key(0)).not.toContain('ann')
})

test('T032 a stronger profile that was stored for the whole device counts for every account, a weaker one for none', async () => {
  const storage = createMemoryStorage()
  storage.setItem('loginProfile', '2')
  expect(await rememberedProfile(ann, storage)).toBe(2)

  storage.setItem('loginProfile', '1')
  expect(await rememberedProfile(ann, storage)).toBe(0)
})
