import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import {
  createAccountKey,
  type DerivationProfile,
  deriveLoginSecrets,
  deriveMasterKey,
  fromBase64url,
  toBase64url,
  wrapAccountKey,
} from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { openOrMakeAccountKey } from './account-key.ts'
import { type ChangePasswordDeps, changePassword } from './change-password.ts'
import { derivePasswordKeys, isWrongKey } from './password-keys.ts'

const userId = '11111111-1111-4111-8111-111111111111'
const holder = { email: 'ann@example.org' }
const salt = new Uint8Array(16).fill(7)

interface Slot {
  readonly slot: number
  readonly keyVersion: number
  readonly profile: number
  readonly wrappedKey: string
}

/** The account's keys on the server, in memory, and the credential that its provider takes. */
async function startServer({ password = 'the old one', profile = 2 as DerivationProfile, profiles = [2] } = {}) {
  const state = { slots: [] as Slot[], credential: '', profiles, commits: 0 }
  const accountKey = createAccountKey()
  const deps: ChangePasswordDeps = {
    call: (async ({ path }: { path: string }, { body }: { body: Omit<Slot, 'slot'> & { slot: number } }) => {
      if (path.endsWith('/prelogin')) return { salt: toBase64url(salt), profiles: state.profiles }
      if (path.endsWith('/staged')) {
        const slot = (state.slots.at(-1)?.slot ?? 0) + 1
        state.slots.push({ ...body, slot })
        return { slot }
      }
      if (path.endsWith('/commit')) {
        state.commits += 1
        const taken = state.slots.find(({ slot }) => slot === body.slot)
        if (!taken) throw new ApiError({ status: 409, code: 'KEYS_NOT_STAGED', message: '' })
        state.slots = [{ ...taken, slot: 1 }]
        return { lostFiles: 0 }
      }
      return { slots: state.slots, recovery: null }
    }) as unknown as Call,
    deriveSecrets: deriveLoginSecrets,
    deriveMasterKey: (from) => deriveMasterKey(from.password, from.userId),
    storage: createMemoryStorage(),
    changeCredential: async ({ credential, current }) => {
      if (current !== state.credential) throw new Error('The current credential is another')
      state.credential = credential
    },
  }
  const keys = await derivePasswordKeys(deps, { password, userId, salt, profile })
  const { keyEncryptionKey } = keys
  const wrappedKey = await wrapAccountKey({ accountKey, keyEncryptionKey, userId, keyVersion: 1 })
  state.credential = keys.credential
  state.slots = [{ slot: 1, keyVersion: 1, profile, wrappedKey }]

  /** Signs in as the provider allows it, and opens what there is. */
  async function enter(typed: string, by: DerivationProfile = profile) {
    const derived = await derivePasswordKeys(deps, { password: typed, userId, salt, profile: by })
    if (derived.credential !== state.credential) return 'refused'
    const opened = await openOrMakeAccountKey({ storage: deps.storage, ...derived, call: deps.call, userId })
    return toBase64url(opened) === toBase64url(accountKey) ? 'open' : 'another key'
  }
  return { state, deps, enter, accountKey }
}

const change = { userId, holder, current: 'the old one', next: 'the new one' }

test('T057 the new password opens the same key, and the old one is refused', async () => {
  const { deps, enter, accountKey, state } = await startServer()

  const keys = await changePassword(deps, change)

  expect(fromBase64url(keys.accountKey)).toEqual(accountKey)
  expect([await enter('the old one'), await enter('the new one')]).toEqual(['refused', 'open'])
  expect(state.slots.map(({ slot }) => slot)).toEqual([1])
})

test('T057 a wrong password changes nothing', async () => {
  const { deps, state } = await startServer()
  const before = structuredClone(state)

  const attempt = await changePassword(deps, { ...change, current: 'not it' }).catch((error: unknown) => error)

  expect(isWrongKey(attempt)).toBe(true)
  expect(state).toEqual(before)
})

test('T057 wherever a change breaks off, the password that the server takes opens the key', async () => {
  const untouched = await startServer()
  const beforeTheServer = { ...untouched.deps, changeCredential: async () => Promise.reject(new Error('gone')) }
  await expect(changePassword(beforeTheServer, change)).rejects.toThrow('gone')
  expect([await untouched.enter('the old one'), await untouched.enter('the new one')]).toEqual(['open', 'refused'])
  expect(untouched.state.slots).toHaveLength(2)

  const halfway = await startServer()
  const call = halfway.deps.call as unknown as (endpoint: { path: string }, sent: unknown) => Promise<unknown>
  const beforeTheCommit = (async (endpoint: { path: string }, sent: unknown) =>
    endpoint.path.endsWith('/commit') ? Promise.reject(new Error('gone')) : call(endpoint, sent)) as unknown as Call
  await expect(changePassword({ ...halfway.deps, call: beforeTheCommit }, change)).rejects.toThrow('gone')
  expect([await halfway.enter('the old one'), await halfway.enter('the new one')]).toEqual(['refused', 'open'])
  expect(halfway.state.slots.map(({ slot }) => slot)).toEqual([1])
})

test('T057 a slot that another device has swept away in between is laid again', async () => {
  const { deps, enter, state } = await startServer()
  const meddled: ChangePasswordDeps = {
    ...deps,
    async changeCredential(wish) {
      await deps.changeCredential(wish)
      state.slots = state.slots.slice(0, 1)
    },
  }

  await changePassword(meddled, change)

  expect(await enter('the new one')).toBe('open')
  expect(state.commits).toBe(2)
})

test('a password that is set now is stretched in the strongest way, whatever the server names', async () => {
  const { deps, enter, state } = await startServer({ profile: 1, profiles: [1] })

  await changePassword(deps, { ...change, next: 'the old one' })

  expect(await enter('the old one', 2)).toBe('open')
  expect(state.slots.map(({ profile }) => profile)).toEqual([2])
})
