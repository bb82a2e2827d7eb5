import type { Call } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { ApiError } from '@sallyport/client/errors'
import { deriveLoginSecrets, deriveMasterKey, toBase64url } from '@sallyport/crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { Auth } from '#/lib/api/auth.ts'
import { createKeyRing } from '#/lib/keys/key-ring.ts'
import { isWrongKey } from '#/lib/keys/password-keys.ts'
import { signInStrings } from '#/strings/account/sign-in.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { until } from '#/testing/until.ts'
import { createSessionLifetimeStore } from './session-lifetime-store.ts'
import { register, type SignInDeps, signIn, unlock } from './sign-in.ts'

const userId = '11111111-1111-4111-8111-111111111111'
const password = 'correct horse battery staple'
const completeMfa = async () => undefined
const apiErrorOf = (status: number, code: 'KEYS_EXIST' | 'INVALID_CREDENTIALS' | 'PASSWORD_INVALID' | 'RATE_LIMITED') =>
  new ApiError({ status, code, serverMessage: code })

interface SentRequest {
  readonly path: string
  readonly sent: { body?: Record<string, unknown>; headers?: Record<string, string> }
}

/** An in-memory server with the account endpoints. */
function startServer({ profiles = [2] }: { profiles?: readonly number[] } = {}) {
  const seen: SentRequest[] = []
  const credentials = new Map<string, unknown>()
  const state = {
    wrapped: null as { wrappedKey: string; profile: number } | null,
    previous: null as string | null,
    restored: 0,
    confirmed: 0,
    isRateLimited: false,
    profiles,
    competingKey: null as string | null,
    outcome: {} as Record<string, unknown>,
  }

  const respond = (path: string, method: string, { body = {} }: SentRequest['sent']): unknown => {
    switch (`${method} ${path}`) {
      case 'POST /api/auth/prelogin':
        return { success: true, salt: toBase64url(new Uint8Array(16).fill(7)), profiles: state.profiles }
      case 'POST /api/register':
        credentials.set(String(body['email']), body['password'])
        return { success: true, user: { id: userId, email: body['email'] }, message: '' }
      case 'POST /api/login':
        if (credentials.get(String(body['email'] ?? body['phone'])) !== body['password']) {
          throw apiErrorOf(401, 'INVALID_CREDENTIALS')
        }
        return { success: true, session: { access_token: 'a', refresh_token: 'r' }, ...state.outcome }
      case 'GET /api/account/keys':
        return {
          success: true,
          slots: state.wrapped ? [{ slot: 1, keyVersion: 1, ...state.wrapped }] : [],
          recovery: null,
        }
      case 'POST /api/account/reauthenticate':
        if (state.isRateLimited) throw apiErrorOf(429, 'RATE_LIMITED')
        if (![...credentials.values()].includes(body['password'])) throw apiErrorOf(403, 'PASSWORD_INVALID')
        state.confirmed += 1
        return { success: true, freshForMs: 1 }
      case 'GET /api/account/keys/previous': {
        const previous = { id: 'previous', keyVersion: 1, profile: 1, wrappedKey: state.previous, replacedAt: 0 }
        return { success: true, previous: state.previous === null ? [] : [previous] }
      }
      case 'POST /api/account/keys/restore':
        state.restored += 1
        return { success: true }
      default: {
        if (state.competingKey) state.wrapped = { wrappedKey: state.competingKey, profile: 1 }
        if (state.wrapped) throw apiErrorOf(412, 'KEYS_EXIST')
        state.wrapped = { wrappedKey: String(body['wrappedKey']), profile: Number(body['profile']) }
        return { success: true }
      }
    }
  }

  const call = (async (endpoint: { path: string; method: string }, sent: SentRequest['sent']) => {
    seen.push({ path: endpoint.path, sent })
    return respond(endpoint.path, endpoint.method, sent)
  }) as unknown as Call
  return { call, seen, credentials, state }
}

function openDevice(call: Call) {
  const channel = new BroadcastChannel(`enter-${crypto.randomUUID()}`)
  onTestFinished(() => channel.close())
  const session = createMemoryStorage()
  const keyRing = createKeyRing({ storage: session, channel })
  const authSessions = { count: 0 }
  const deps: SignInDeps = {
    call,
    auth: {
      begin: async () => {
        authSessions.count += 1
        return { id: userId, email: 'ann@example.org' }
      },
      end: async () => {
        authSessions.count -= 1
      },
    } as unknown as Auth,
    keyRing,
    sessionLifetime: createSessionLifetimeStore({ storage: createMemoryStorage(), now: () => Date.now() }),
    deriveSecrets: deriveLoginSecrets,
    deriveMasterKey: (from) => deriveMasterKey(from.password, from.userId),
    storage: createMemoryStorage(),
    clock: systemClock,
  }
  return { deps, keyRing, session, authSessions, accountKey: () => session.getItem('accountKey') }
}

test('the password is never sent: every call carries a credential derived from it (ACC-02)', async () => {
  const { call, seen } = startServer()
  const { deps } = openDevice(call)

  await register(deps, { email: 'Ann@Example.org', password, licenseKey: '', signsInDirectly: true })

  expect(JSON.stringify(seen)).not.toContain(password)
  const login = seen.find(({ path }) => path === '/api/login')
  expect(login?.sent.body?.['password']).toMatch(/^Zk2\.[A-Za-z0-9_-]{43}$/)
  expect(login?.sent.body?.['email']).toBe('ann@example.org')
})

test('the first sign-in creates the account key, and the next device opens the same one', async () => {
  const { call, seen } = startServer()
  const first = openDevice(call)
  const second = openDevice(call)

  await register(first.deps, { email: 'ann@example.org', password, licenseKey: '', signsInDirectly: true })
  await signIn(second.deps, { identifierText: 'ann@example.org', password, remember: true, completeMfa })

  expect(second.accountKey()).toBe(first.accountKey())
  const created = seen.filter(({ sent }) => sent.headers?.['if-none-match'] === '*')
  expect(created).toHaveLength(1)
})

test('of two devices that create a key concurrently, the slower one uses the key of the faster one', async () => {
  const server = startServer()
  const faster = openDevice(server.call)
  await register(faster.deps, { email: 'ann@example.org', password, licenseKey: '', signsInDirectly: true })
  const existingKey = server.state.wrapped?.wrappedKey ?? null
  server.state.wrapped = null
  server.state.competingKey = existingKey
  const slower = openDevice(server.call)

  await signIn(slower.deps, { identifierText: 'ann@example.org', password, remember: false, completeMfa })

  expect(slower.accountKey()).toBe(faster.accountKey())
})

test('a wrong password is rejected, and nothing of the attempt is stored', async () => {
  const { call } = startServer()
  const device = openDevice(call)
  await register(openDevice(call).deps, { email: 'ann@example.org', password, licenseKey: '', signsInDirectly: true })

  const attempt = signIn(device.deps, {
    identifierText: 'ann@example.org',
    password: 'another',
    remember: false,
    completeMfa,
  })

  await expect(attempt).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  expect(device.authSessions.count).toBe(0)
  expect(device.session.length).toBe(0)
})

test('a sign-in whose keys cannot be unwrapped is rolled back with a message', async () => {
  const server = startServer()
  await register(openDevice(server.call).deps, {
    email: 'ann@example.org',
    password,
    licenseKey: '',
    signsInDirectly: true,
  })
  server.state.wrapped = { wrappedKey: toBase64url(new Uint8Array(60).fill(9)), profile: 1 }
  const device = openDevice(server.call)

  const attempt = signIn(device.deps, { identifierText: 'ann@example.org', password, remember: false, completeMfa })

  await expect(attempt).rejects.toThrow(signInStrings.keysUndecryptable)
  expect(device.authSessions.count).toBe(0)
  expect(device.deps.sessionLifetime.isStored()).toBe(false)
})

test('unlocking needs no new sign-in and detects a wrong password locally', async () => {
  const { call, seen } = startServer()
  const first = openDevice(call)
  await register(first.deps, { email: 'ann@example.org', password, licenseKey: '', signsInDirectly: true })
  const account = { id: userId, email: 'ann@example.org' }
  const tab = openDevice(call)
  seen.length = 0

  const wrongPasswordError = await unlock(tab.deps, { account, password: 'another' }).catch((error: unknown) => error)
  await unlock(tab.deps, { account, password })

  expect(isWrongKey(wrongPasswordError)).toBe(true)
  expect(tab.accountKey()).toBe(first.accountKey())
  expect(seen.map(({ path }) => path)).not.toContain('/api/login')
})

test('an account that has to confirm its email address first is created but not signed in', async () => {
  const { call, seen } = startServer()
  const device = openDevice(call)

  const account = await register(device.deps, {
    email: 'ann@example.org',
    password,
    licenseKey: '',
    signsInDirectly: false,
  })

  expect(account).toBeNull()
  expect(seen.map(({ path }) => path)).not.toContain('/api/login')
})

test('a licence key is sent only when one was entered (ACC-21)', async () => {
  const { call, seen } = startServer()
  const { deps } = openDevice(call)

  await register(deps, { email: 'ann@example.org', password, licenseKey: 'SP-1', signsInDirectly: false })
  await register(deps, { email: 'bob@example.org', password, licenseKey: '', signsInDirectly: false })

  const bodies = seen.filter(({ path }) => path === '/api/register').map(({ sent }) => sent.body)
  expect(bodies[0]).toHaveProperty('licenseKey', 'SP-1')
  expect(bodies[1]).not.toHaveProperty('licenseKey')
})

test('the requested session lifetime is sent with the sign-in (ACC-11)', async () => {
  const { call, seen } = startServer()
  const { deps } = openDevice(call)
  await register(deps, { email: 'ann@example.org', password, licenseKey: '', signsInDirectly: true })

  await signIn(deps, { identifierText: 'ann@example.org', password, remember: true, completeMfa })

  const policies = seen
    .filter(({ path }) => path === '/api/login')
    .map(({ sent }) => sent.headers?.['x-session-policy'])
  expect(policies).toEqual(['short', 'remember'])
})

test('MFA is required before the keys are fetched, and cancelling it signs out again (ACC-18)', async () => {
  const { call, seen, state } = startServer()
  const { deps, keyRing, authSessions } = openDevice(call)
  await register(deps, { email: 'ann@example.org', password, licenseKey: '', signsInDirectly: true })
  keyRing.close()
  state.outcome = { mfa_required: true }
  const before = seen.length
  const requestsBeforeMfa: string[][] = []
  const paths = () => seen.slice(before).map(({ path }) => path)

  await signIn(deps, {
    identifierText: 'ann@example.org',
    password,
    remember: false,
    completeMfa: async () => {
      requestsBeforeMfa.push(paths())
    },
  })
  expect(requestsBeforeMfa).toEqual([['/api/auth/prelogin', '/api/login']])
  expect(keyRing.state.current().phase).toBe('open')

  keyRing.close()
  const count = authSessions.count
  const cancelled = new Error('declined')
  const attempt = signIn(deps, {
    identifierText: 'ann@example.org',
    password,
    remember: false,
    completeMfa: () => Promise.reject(cancelled),
  })
  await expect(attempt).rejects.toBe(cancelled)
  expect(authSessions.count).toBe(count)
  expect(keyRing.state.current().phase).toBe('locked')
})

test('a previous key is restored when the current one was replaced by one that cannot be unwrapped', async () => {
  const { call, state } = startServer()
  const first = openDevice(call)
  await register(first.deps, { email: 'ann@example.org', password, licenseKey: '', signsInDirectly: true })
  state.previous = state.wrapped?.wrappedKey ?? null
  state.wrapped = { wrappedKey: toBase64url(new Uint8Array(60).fill(9)), profile: 1 }
  const signedIn = openDevice(call)
  const locked = openDevice(call)
  const account = { id: userId, email: 'ann@example.org', phone: '' }

  await signIn(signedIn.deps, { identifierText: 'ann@example.org', password, remember: false, completeMfa })
  const wrongPasswordError = await unlock(locked.deps, { account, password: 'another one' }).catch(
    (error: unknown) => error,
  )
  await unlock(locked.deps, { account, password })

  expect(signedIn.accountKey()).toBe(first.accountKey())
  expect(wrongPasswordError).toMatchObject({ code: 'wrong-key' })
  expect(locked.accountKey()).toBe(first.accountKey())
  expect([state.restored, state.confirmed]).toEqual([2, 1])
})

test('unlocking: an old password opens no previous key', async () => {
  const { call, state, credentials } = startServer()
  const { deps, keyRing } = openDevice(call)
  await register(deps, { email: 'ann@example.org', password, licenseKey: '', signsInDirectly: true })
  keyRing.close()
  state.previous = state.wrapped?.wrappedKey ?? null
  state.wrapped = { wrappedKey: toBase64url(new Uint8Array(60).fill(9)), profile: 1 }
  credentials.set('ann@example.org', 'that of a newer password')

  const attempt = unlock(deps, { account: { id: userId, email: 'ann@example.org', phone: '' }, password })

  await expect(attempt).rejects.toMatchObject({ code: 'wrong-key' })
  expect(state.restored).toBe(0)
})

/** Creates an account whose current key was replaced by one that the password does not unwrap; the previous one still would. */
async function createAccountWithReplacedKey() {
  const server = startServer()
  const { deps, keyRing } = openDevice(server.call)
  await register(deps, { email: 'ann@example.org', password, licenseKey: '', signsInDirectly: true })
  keyRing.close()
  server.state.previous = server.state.wrapped?.wrappedKey ?? null
  server.state.wrapped = { wrappedKey: toBase64url(new Uint8Array(60).fill(9)), profile: 1 }
  server.seen.length = 0
  return { ...server, deps, account: { id: userId, email: 'ann@example.org', phone: '' } }
}

const confirmedProfiles = (seen: readonly SentRequest[]) =>
  seen
    .filter(({ path }) => path === '/api/account/reauthenticate')
    .map(({ sent }) => String(sent.body?.['password']).slice(0, 4))

test('T032 unlocking sends no weaker credential when the server offers the weaker profile', async () => {
  const { deps, state, seen, account } = await createAccountWithReplacedKey()
  state.profiles = [1]

  await expect(unlock(deps, { account, password })).rejects.toMatchObject({ code: 'wrong-key' })

  expect(confirmedProfiles(seen)).toEqual([])
})

test('T032 unlocking confirms the password with the stronger profile only when the server offers both', async () => {
  const { deps, state, seen, account } = await createAccountWithReplacedKey()
  state.profiles = [1, 2]

  await unlock(deps, { account, password }).catch(() => undefined)

  expect(confirmedProfiles(seen)).toEqual(['Zk2.'])
})

test('unlocking reports that the password could not be checked instead of calling it wrong', async () => {
  const { deps, state, account } = await createAccountWithReplacedKey()
  state.isRateLimited = true

  await expect(unlock(deps, { account, password })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})

test('unlocking sends no confirmation if a later profile opens the key', async () => {
  const { call, seen, state } = await createOlderAccount([1])
  const { deps, keyRing } = openDevice(call)
  await signIn(deps, { ...olderSignIn, allowsWeakerProfile: true })
  // The profile upgrade in the background ends with this call, which the server rejects.
  await until(() => seen.some(({ path }) => path === '/api/account/keys/staged'))
  keyRing.close()
  seen.length = 0
  state.profiles = [2, 1]

  await unlock(deps, { account: { id: userId, email: 'ann@example.org', phone: '' }, password })

  expect(keyRing.state.current().phase).toBe('open')
  expect(confirmedProfiles(seen)).toEqual([])
})

test('an account with a phone number is unlocked with the salt of that number (ACC-03)', async () => {
  const { call, seen } = startServer()
  const { deps } = openDevice(call)
  await register(deps, { email: 'ann@example.org', password, licenseKey: '', signsInDirectly: true })
  const before = seen.length

  await unlock(deps, { account: { id: userId, email: '', phone: '491701234567' }, password })

  expect(seen[before]?.sent.body).toEqual({ phone: '+491701234567' })
})

test('an account with an expired licence is signed in without its keys and gets an upgrade offer (ACC-05)', async () => {
  const { call, seen, state } = startServer()
  const { deps, keyRing } = openDevice(call)
  await register(deps, { email: 'ann@example.org', password, licenseKey: '', signsInDirectly: true })
  keyRing.close()
  state.outcome = { upgrade_required: true, trial_expired: true, upgrade_message: 'It is over.' }
  const before = seen.length

  const entered = await signIn(deps, { identifierText: 'ann@example.org', password, remember: false, completeMfa })

  expect(entered.upgradeOffer).toEqual({ isPersistent: true, isTrialOver: true, message: 'It is over.' })
  expect(keyRing.state.current().phase).toBe('locked')
  expect(seen.slice(before).map(({ path }) => path)).toEqual(['/api/auth/prelogin', '/api/login'])
})

/** Starts a server with an account whose credential uses the weaker profile. */
async function createOlderAccount(offered: readonly number[]) {
  const server = startServer({ profiles: offered })
  const { credential } = await deriveLoginSecrets({ password, salt: new Uint8Array(16).fill(7), profile: 1 })
  server.credentials.set('ann@example.org', credential)
  return server
}
const olderSignIn = { identifierText: 'ann@example.org', password, remember: false, completeMfa }
const sentCredentialProfiles = (seen: readonly SentRequest[]) =>
  seen.filter(({ path }) => path === '/api/login').map(({ sent }) => String(sent.body?.['password']).slice(0, 4))

test.each([[[1]], [[1, 2]], [[2, 1]]])(
  'T032 a fresh device sends no weaker credential when the server offers the profiles %j',
  async (offered) => {
    const { call, seen } = await createOlderAccount(offered)

    await expect(signIn(openDevice(call).deps, olderSignIn)).rejects.toMatchObject({ code: 'WEAKER_PROFILE' })

    expect(sentCredentialProfiles(seen)).not.toContain('Zk1.')
  },
)

test('an older account is signed in once the user agrees to its weaker profile, with that profile only', async () => {
  const { call, seen } = await createOlderAccount([1, 2])
  const { deps, keyRing } = openDevice(call)

  await signIn(deps, { ...olderSignIn, allowsWeakerProfile: true })

  expect(keyRing.state.current().phase).toBe('open')
  expect(sentCredentialProfiles(seen)).toEqual(['Zk1.'])
})

test('T032 a new account uses the stronger profile, whatever the server offers', async () => {
  const { call, seen } = startServer({ profiles: [1] })

  await register(openDevice(call).deps, { email: 'ann@example.org', password, licenseKey: '', signsInDirectly: false })

  const made = seen.find(({ path }) => path === '/api/register')
  expect(made?.sent.body?.['password']).toMatch(/^Zk2\./)
})
