import { expect, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { signInWords } from '#/words/sign-in.ts'
import { acceptableProfiles, rememberProfile } from './login-profile.ts'

const weaker = { code: 'WEAKER_PROFILE' }

test('a fresh device takes the stronger profile only, in whatever order they are offered', () => {
  for (const offered of [[2], [1, 2], [2, 1], [3, 2]]) {
    expect(acceptableProfiles(offered, createMemoryStorage())).toEqual([2])
  }
})

test('T032 a fresh device does not take the weaker profile at the word of the server', () => {
  expect(() => acceptableProfiles([1], createMemoryStorage())).toThrow(expect.objectContaining(weaker))
})

test('a fresh device takes the weaker profile with the word of the person, after the stronger one', () => {
  expect(acceptableProfiles([1, 2], createMemoryStorage(), { mayUseWeaker: true })).toEqual([2, 1])
  expect(acceptableProfiles([1], createMemoryStorage(), { mayUseWeaker: true })).toEqual([1])
})

test('a device that has used the weaker profile and nothing stronger goes on using it', () => {
  const storage = createMemoryStorage()
  rememberProfile(1, storage)

  expect(acceptableProfiles([1], storage)).toEqual([1])
  expect(acceptableProfiles([1, 2], storage)).toEqual([2, 1])
})

test('a server that offers only unknown profiles gets no secret', () => {
  expect(() => acceptableProfiles([3, 99], createMemoryStorage())).toThrow(signInWords.unknownProfile)
  expect(() => acceptableProfiles([], createMemoryStorage())).toThrow(signInWords.unknownProfile)
})

test('T032 a device that has used the stronger profile never takes the weaker one, whatever the person says', () => {
  const storage = createMemoryStorage()
  rememberProfile(2, storage)
  rememberProfile(1, storage)

  expect(() => acceptableProfiles([1], storage, { mayUseWeaker: true })).toThrow(signInWords.weakerProfile)
  expect(acceptableProfiles([2, 1], storage, { mayUseWeaker: true })).toEqual([2])
})
