import { expect, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { createAuthSessionStorage } from './auth-session-storage.ts'

const key = 'sallyport-auth'
/** An auth session as the provider's client stores it; `number` distinguishes its tokens. */
const storedSession = (sessionId: string, number = 1): string => {
  const claims = btoa(JSON.stringify({ session_id: sessionId, jti: number })).replace(/=+$/, '')
  return JSON.stringify({ access_token: `head.${claims}.seal`, refresh_token: `r${number}` })
}

test('an auth session is stored, refreshed and followed by another one (ACC-12)', () => {
  const storage = createMemoryStorage({})
  const authStorage = createAuthSessionStorage(storage)

  for (const value of [storedSession('a'), storedSession('a', 2)]) {
    authStorage.setItem(key, value)
    expect(authStorage.getItem(key)).toBe(value)
  }
  authStorage.removeItem(key)
  authStorage.setItem(key, storedSession('b'))

  expect(storage.getItem(key)).toBe(storedSession('b'))
})

test('an auth session that was ended here is not stored again (ACC-12)', () => {
  const storage = createMemoryStorage({ [key]: storedSession('a') })
  const authStorage = createAuthSessionStorage(storage)

  authStorage.removeItem(key)
  authStorage.setItem(key, storedSession('a', 2))

  expect(storage.getItem(key)).toBeNull()
})

test('an auth session that was ended or replaced in another tab is not stored again (ACC-12)', () => {
  const storage = createMemoryStorage({ [key]: storedSession('a') })
  const authStorage = createAuthSessionStorage(storage)
  authStorage.getItem(key)

  storage.removeItem(key)
  authStorage.setItem(key, storedSession('a', 2))
  expect(storage.getItem(key)).toBeNull()

  storage.setItem(key, storedSession('b'))
  authStorage.setItem(key, storedSession('a', 2))
  expect(storage.getItem(key)).toBe(storedSession('b'))
})

test('a value that is not an auth session is stored unchanged', () => {
  const storage = createMemoryStorage({})
  const authStorage = createAuthSessionStorage(storage)

  for (const value of ['not JSON', '{}', '{"access_token":"no token"}']) {
    authStorage.setItem(key, value)
    expect(storage.getItem(key)).toBe(value)
  }
})

test('the expiry of a token is returned by the device’s clock, however often it is stored again', () => {
  const exp = 1_800_000_000
  const token = `head.${btoa(JSON.stringify({ session_id: 'a', exp })).replace(/=+$/, '')}.seal`
  const storage = createMemoryStorage({ [key]: JSON.stringify({ access_token: token, expires_at: exp }) })
  const hour = 3_600_000
  let aheadMs = 3 * hour
  const authStorage = createAuthSessionStorage(storage, () => aheadMs)
  const expiryOf = (text: unknown) => (JSON.parse(String(text)) as { expires_at: number }).expires_at

  const first = authStorage.getItem(key)
  authStorage.setItem(key, String(first))
  const second = authStorage.getItem(key)
  aheadMs = -3 * hour
  const behind = authStorage.getItem(key)
  aheadMs = 0

  expect([expiryOf(first), expiryOf(second), expiryOf(behind)]).toEqual([exp + 10_800, exp + 10_800, exp - 10_800])
})
