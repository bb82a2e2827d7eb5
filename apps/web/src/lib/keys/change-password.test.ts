import type { Call } from '@sallyport/client/call'
import { ApiError, NetworkError } from '@sallyport/client/errors'
import {
  createAccountKey,
  type DerivationProfile,
  deriveMasterKey,
  fromBase64url,
  toBase64url,
  wrapAccountKey,
} from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { securityStrings } from '#/strings/account/security.ts'
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

const apiErrorOf = (status: number, code: 'PASSWORD_INVALID' | 'KEYS_NOT_STAGED' | 'RATE_LIMITED') =>
  new ApiError({ status, code, serverMessage: '' })

/** A cheap KDF with the same inputs and an output of the same form. */
async function cheapSecrets({ password, profile }: Parameters<ChangePasswordDeps['deriveSecrets']>[0]) {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${text}|${password}|${profile}`)))
  return { credential: `Zk${profile}.${toBase64url(await digest('auth'))}`, wrapSecret: await digest('wrap') }
}

/** An in-memory server with the account's key slots and the credential that its auth provider accepts. */
async function startServer({ password = 'the old one', profile = 2 as DerivationProfile, profiles = [2] } = {}) {
  const state = { slots: [] as Slot[], credential: '', profiles, commits: 0, asked: [] as string[] }
  const accountKey = createAccountKey()
  const deps: ChangePasswordDeps = {
    call: (async ({ path }: { path: string }, { body }: { body: Slot & { password: string } }) => {
      if (path.endsWith('/reauthenticate')) {
        state.asked.push(body.password)
        if (body.password !== state.credential) throw apiErrorOf(403, 'PASSWORD_INVALID')
        return { freshForMs: 1 }
      }
      if (path.endsWith('/prelogin')) return { salt: toBase64url(salt), profiles: state.profiles }
      if (path.endsWith('/staged')) {
        const slot = (state.slots.at(-1)?.slot ?? 0) + 1
        state.slots.push({ ...body, slot })
        return { slot }
      }
      if (path.endsWith('/commit')) {
        state.commits += 1
        const committed = state.slots.find(({ slot }) => slot === body.slot)
        if (!committed) throw apiErrorOf(409, 'KEYS_NOT_STAGED')
        state.slots = [{ ...committed, slot: 1 }]
        return { lostFiles: 0 }
      }
      return { slots: state.slots, recovery: null }
    }) as unknown as Call,
    deriveSecrets: cheapSecrets,
    deriveMasterKey: (from) => deriveMasterKey(from.password, from.userId),
    storage: createMemoryStorage(),
    clock: { now: () => 0, wait: async () => undefined },
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

/** Runs `before` with the path of each call; it throws to keep the call from the server. */
function intercept(deps: ChangePasswordDeps, before: (path: string) => void): ChangePasswordDeps {
  const call = deps.call as unknown as (endpoint: { path: string }, sent: unknown) => Promise<unknown>
  const intercepted = async (endpoint: { path: string }, sent: unknown) => {
    before(endpoint.path)
    return call(endpoint, sent)
  }
  return { ...deps, call: intercepted as unknown as Call }
}

/** Loses the answer to the change, which the server has received or not. */
const losingAnswer = (deps: ChangePasswordDeps, { isReceived }: { isReceived: boolean }): ChangePasswordDeps => ({
  ...deps,
  async changeCredential(change) {
    if (isReceived) await deps.changeCredential(change)
    throw new NetworkError()
  },
})

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
  const failingCommit = intercept(halfway.deps, (path) => {
    if (path.endsWith('/commit')) throw new Error('gone')
  })
  await expect(changePassword(failingCommit, input)).rejects.toThrow('gone')
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

test('T057 a password change whose answer is lost succeeds if the server accepts the new password', async () => {
  const { deps, state, signIn, accountKey } = await startServer()
  const old = state.credential

  const keys = await changePassword(losingAnswer(deps, { isReceived: true }), input)

  expect(fromBase64url(keys.accountKey)).toEqual(accountKey)
  // One request before the change and one with the new password: no failed attempt is counted.
  expect(state.asked).toEqual([old, state.credential])
  expect([await signIn('the old one'), await signIn('the new one')]).toEqual(['refused', 'open'])
  expect(state.slots.map(({ slot }) => slot)).toEqual([1])
})

test('T057 a password change that the server has not received asks to try again, which then succeeds', async () => {
  const { deps, state, signIn } = await startServer()

  const attempt = changePassword(losingAnswer(deps, { isReceived: false }), input)

  await expect(attempt).rejects.toThrow(securityStrings.notChanged)
  expect(state.asked).toEqual([state.credential, expect.stringMatching(/^Zk2\./), state.credential])
  expect(await signIn('the old one')).toBe('open')
  expect(state.slots).toHaveLength(2)
  await changePassword(deps, input)
  expect([await signIn('the old one'), await signIn('the new one')]).toEqual(['refused', 'open'])
  expect(state.slots).toHaveLength(1)
})

test('T057 after a lost answer a server that returns after 4 failed requests is asked a fifth time', async () => {
  const { deps, state, signIn } = await startServer()
  let requests = 0
  const returning = intercept(deps, (path) => {
    if (!path.endsWith('/reauthenticate')) return
    requests += 1
    if (requests > 1 && requests < 6) throw new NetworkError()
  })

  await changePassword(losingAnswer(returning, { isReceived: true }), input)

  expect(requests).toBe(6)
  expect(state.slots.map(({ slot }) => slot)).toEqual([1])
  expect(await signIn('the new one')).toBe('open')
})

test.each([
  ['a server that cannot be reached is asked 5 times', new NetworkError(), 5],
  ['a server that accepts no further attempts is asked once', apiErrorOf(429, 'RATE_LIMITED'), 1],
])('T057 after a lost answer %s, and either password opens the key', async (_, failure, count) => {
  const { deps, state, signIn } = await startServer()
  let requests = 0
  const unreachable = intercept(deps, (path) => {
    if (!path.endsWith('/reauthenticate')) return
    requests += 1
    if (requests > 1) throw failure
  })

  const attempt = changePassword(losingAnswer(unreachable, { isReceived: true }), input)

  await expect(attempt).rejects.toThrow(securityStrings.changeInterrupted)
  expect(requests - 1).toBe(count)
  expect(state.slots).toHaveLength(2)
  expect(await signIn('the new one')).toBe('open')
  expect(state.slots).toHaveLength(1)
})

test('T057 a commit whose answer is lost does not commit the key that another device has staged', async () => {
  const { deps, state, signIn } = await startServer()
  const losingCommit: ChangePasswordDeps = {
    ...deps,
    call: (async (...sent: Parameters<Call>) => {
      const answer = await deps.call(...sent)
      if (sent[0].path.endsWith('/commit') && state.commits === 1) {
        state.slots.push({ slot: 2, keyVersion: 1, profile: 2, wrappedKey: 'of another device' })
        throw new NetworkError()
      }
      return answer
    }) as Call,
  }

  await changePassword(losingCommit, input)

  expect(state.commits).toBe(2)
  expect(state.slots.map(({ wrappedKey }) => wrappedKey)).not.toContain('of another device')
  expect(await signIn('the new one')).toBe('open')
})

test('T057 a commit that never reaches the server leaves the staged key to the next sign-in', async () => {
  const { deps, state, signIn } = await startServer()
  const unreachable = intercept(deps, (path) => {
    if (path.endsWith('/commit')) throw new NetworkError()
  })

  await expect(changePassword(unreachable, input)).rejects.toThrow(securityStrings.changeInterrupted)

  expect(state.slots).toHaveLength(2)
  expect([await signIn('the old one'), await signIn('the new one')]).toEqual(['refused', 'open'])
  expect(state.slots).toHaveLength(1)
})

test('a new password uses the strongest profile, whatever the server offers', async () => {
  const { deps, signIn, state } = await startServer({ profile: 1, profiles: [1] })

  await changePassword(deps, { ...input, next: 'the old one' })

  expect(await signIn('the old one', 2)).toBe('open')
  expect(state.slots.map(({ profile }) => profile)).toEqual([2])
})
