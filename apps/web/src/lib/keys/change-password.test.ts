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
import { openOrCreateAccountKey } from './account-key.ts'
import { type ChangePasswordDeps, changePassword } from './change-password.ts'
import { derivePasswordKeys, isWrongKey } from './password-keys.ts'

const userId = '11111111-1111-4111-8111-111111111111'
const identifier = { email: 'ann@example.org' }
const salt = new Uint8Array(16).fill(7)

interface Slot {
  readonly slot: number
  readonly keyVersion: number
  readonly profile: number
  readonly wrappedKey: string
}

/** An in-memory server with the account's key slots and the credential that its auth provider accepts. */
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
        const committed = state.slots.find(({ slot }) => slot === body.slot)
        if (!committed) throw new ApiError({ status: 409, code: 'KEYS_NOT_STAGED', serverMessage: '' })
        state.slots = [{ ...committed, slot: 1 }]
        return { lostFiles: 0 }
      }
      return { slots: state.slots, recovery: null }
    }) as unknown as Call,
    deriveSecrets: deriveLoginSecrets,
    deriveMasterKey: (from) => deriveMasterKey(from.password, from.userId),
    storage: createMemoryStorage(),
    changeCredential: async ({ credential, current }) => {
      if (current !== state.credential) throw new Error('The current credential does not match')
      state.credential = credential
    },
  }
  const keys = await derivePasswordKeys(deps, { password, userId, salt, profile })
  const { keyEncryptionKey } = keys
  const wrappedKey = await wrapAccountKey({ accountKey, keyEncryptionKey, userId, keyVersion: 1 })
  state.credential = keys.credential
  state.slots = [{ slot: 1, keyVersion: 1, profile, wrappedKey }]

  /** Signs in if the credential matches, and unwraps the account key. */
  async function signIn(candidate: string, withProfile: DerivationProfile = profile) {
    const derived = await derivePasswordKeys(deps, { password: candidate, userId, salt, profile: withProfile })
    if (derived.credential !== state.credential) return 'refused'
    const opened = await openOrCreateAccountKey({ storage: deps.storage, ...derived, call: deps.call, userId })
    return toBase64url(opened) === toBase64url(accountKey) ? 'open' : 'another key'
  }
  return { state, deps, signIn, accountKey }
}

const input = { userId, identifier, current: 'the old one', next: 'the new one' }

test('T057 the new password opens the same key, and the old one is rejected', async () => {
  const { deps, signIn, accountKey, state } = await startServer()

  const keys = await changePassword(deps, input)

  expect(fromBase64url(keys.accountKey)).toEqual(accountKey)
  expect([await signIn('the old one'), await signIn('the new one')]).toEqual(['refused', 'open'])
  expect(state.slots.map(({ slot }) => slot)).toEqual([1])
})

test('T057 a wrong password changes nothing', async () => {
  const { deps, state } = await startServer()
  const before = structuredClone(state)

  const attempt = await changePassword(deps, { ...input, current: 'not it' }).catch((error: unknown) => error)

  expect(isWrongKey(attempt)).toBe(true)
  expect(state).toEqual(before)
})

test('T057 wherever a password change is interrupted, the password that the server accepts opens the key', async () => {
  const untouched = await startServer()
  const failingBeforeChange = { ...untouched.deps, changeCredential: async () => Promise.reject(new Error('gone')) }
  await expect(changePassword(failingBeforeChange, input)).rejects.toThrow('gone')
  expect([await untouched.signIn('the old one'), await untouched.signIn('the new one')]).toEqual(['open', 'refused'])
  expect(untouched.state.slots).toHaveLength(2)

  const halfway = await startServer()
  const call = halfway.deps.call as unknown as (endpoint: { path: string }, sent: unknown) => Promise<unknown>
  const failingCommit = (async (endpoint: { path: string }, sent: unknown) =>
    endpoint.path.endsWith('/commit') ? Promise.reject(new Error('gone')) : call(endpoint, sent)) as unknown as Call
  await expect(changePassword({ ...halfway.deps, call: failingCommit }, input)).rejects.toThrow('gone')
  expect([await halfway.signIn('the old one'), await halfway.signIn('the new one')]).toEqual(['refused', 'open'])
  expect(halfway.state.slots.map(({ slot }) => slot)).toEqual([1])
})

test('T057 a staged slot that another device has removed in between is staged again', async () => {
  const { deps, signIn, state } = await startServer()
  const racingDeps: ChangePasswordDeps = {
    ...deps,
    async changeCredential(change) {
      await deps.changeCredential(change)
      state.slots = state.slots.slice(0, 1)
    },
  }

  await changePassword(racingDeps, input)

  expect(await signIn('the new one')).toBe('open')
  expect(state.commits).toBe(2)
})

test('a new password uses the strongest profile, whatever the server offers', async () => {
  const { deps, signIn, state } = await startServer({ profile: 1, profiles: [1] })

  await changePassword(deps, { ...input, next: 'the old one' })

  expect(await signIn('the old one', 2)).toBe('open')
  expect(state.slots.map(({ profile }) => profile)).toEqual([2])
})
