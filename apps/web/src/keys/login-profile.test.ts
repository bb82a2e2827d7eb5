import { expect, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { signInWords } from '#/words/sign-in.ts'
import { acceptableProfiles, rememberProfile } from './login-profile.ts'

test('ways to derive are taken in the order of the server, unknown ones left out', () => {
  expect(acceptableProfiles([2, 1], createMemoryStorage())).toEqual([2, 1])
  expect(acceptableProfiles([3, 2], createMemoryStorage())).toEqual([2])
})

test('a server that offers only unknown ways gets no secret', () => {
  expect(() => acceptableProfiles([3, 99], createMemoryStorage())).toThrow(signInWords.unknownProfile)
  expect(() => acceptableProfiles([], createMemoryStorage())).toThrow(signInWords.unknownProfile)
})

test('a server that asks for a weaker way than this device has used gets no secret', () => {
  const storage = createMemoryStorage()
  rememberProfile(2, storage)

  expect(() => acceptableProfiles([1], storage)).toThrow(signInWords.weakerProfile)
  expect(acceptableProfiles([2, 1], storage)).toEqual([2])
})

test('a weaker way that is used later does not lower what is remembered', () => {
  const storage = createMemoryStorage()
  rememberProfile(2, storage)

  rememberProfile(1, storage)

  expect(() => acceptableProfiles([1], storage)).toThrow(signInWords.weakerProfile)
})
