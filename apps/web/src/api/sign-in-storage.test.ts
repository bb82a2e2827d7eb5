import { expect, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { createSignInStorage } from './sign-in-storage.ts'

const key = 'sallyport-auth'
/** A sign-in as the provider's client keeps it, with a token of this number. */
const kept = (signIn: string, number = 1): string => {
  const claims = btoa(JSON.stringify({ session_id: signIn, jti: number })).replace(/=+$/, '')
  return JSON.stringify({ access_token: `head.${claims}.seal`, refresh_token: `r${number}` })
}

test('a sign-in is kept, renewed and followed by another one (ACC-12)', () => {
  const storage = createMemoryStorage({})
  const ours = createSignInStorage(storage)

  for (const value of [kept('a'), kept('a', 2)]) {
    ours.setItem(key, value)
    expect(ours.getItem(key)).toBe(value)
  }
  ours.removeItem(key)
  ours.setItem(key, kept('b'))

  expect(storage.getItem(key)).toBe(kept('b'))
})

test('a sign-in that was ended here is not kept again (ACC-12)', () => {
  const storage = createMemoryStorage({ [key]: kept('a') })
  const ours = createSignInStorage(storage)

  ours.removeItem(key)
  ours.setItem(key, kept('a', 2))

  expect(storage.getItem(key)).toBeNull()
})

test('a sign-in that was ended or replaced in another tab is not kept again (ACC-12)', () => {
  const storage = createMemoryStorage({ [key]: kept('a') })
  const ours = createSignInStorage(storage)
  ours.getItem(key)

  storage.removeItem(key)
  ours.setItem(key, kept('a', 2))
  expect(storage.getItem(key)).toBeNull()

  storage.setItem(key, kept('b'))
  ours.setItem(key, kept('a', 2))
  expect(storage.getItem(key)).toBe(kept('b'))
})

test('what is no sign-in is kept as it is', () => {
  const storage = createMemoryStorage({})
  const ours = createSignInStorage(storage)

  for (const value of ['not JSON', '{}', '{"access_token":"no token"}']) {
    ours.setItem(key, value)
    expect(storage.getItem(key)).toBe(value)
  }
})
