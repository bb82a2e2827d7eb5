import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { deriveLoginSecrets, deriveMasterKey, toBase64url } from '@sallyport/crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { Auth } from '#/api/auth.ts'
import { createKeyRing } from '#/keys/key-ring.ts'
import { isWrongKey } from '#/keys/password-keys.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { until } from '#/testing/until.ts'
import { signInWords } from '#/words/sign-in.ts'
import { type EnterDeps, register, signIn, unlock } from './enter.ts'
import { createPolicyKeeper } from './policy-keeper.ts'

const userId = '11111111-1111-4111-8111-111111111111'
const password = 'correct horse battery staple'
const passSecondFactor = async () => undefined
const refusal = (status: number, code: 'KEYS_EXIST' | 'INVALID_CREDENTIALS' | 'PASSWORD_INVALID' | 'RATE_LIMITED') =>
  new ApiError({ status, code, message: code })

interface Sent {
  readonly path: string
  readonly sent: { body?: Record<string, unknown>; headers?: Record<string, string> }
}

/** The account calls of the server, in memory. */
function startServer({ profiles = [2] }: { profiles?: readonly number[] } = {}) {
  const seen: Sent[] = []
  const credentials = new Map<string, unknown>()
  const state = {
    wrapped: null as { wrappedKey: string; profile: number } | null,
    previous: null as string | null,
    restored: 0,
    confirmed: 0,
    isRateLimited: false,
    profiles,
    someoneIsFaster: null as string | null,
    outcome: {} as Record<string, unknown>,
  }

  const answer = (path: string, method: string, { body = {} }: Sent['sent']): unknown => {
    switch (`${method} ${path}`) {
      case 'POST /api/auth/prelogin':
        return { success: true, salt: toBase64url(new Uint8Array(16).fill(7)), profiles: state.profiles }
      case 'POST /api/register':
        credentials.set(String(body['email']), body['password'])
        return { success: true, user: { id: userId, email: body['email'] }, message: '' }
      case 'POST /api/login':
        if (credentials.get(String(body['email'] ?? body['phone'])) !== body['password']) {
          throw refusal(401, 'INVALID_CREDENTIALS')
        }
        return { success: true, session: { access_token: 'a', refresh_token: 'r' }, ...state.outcome }
      case 'GET /api/account/keys':
        return {
          success: true,
          slots: state.wrapped ? [{ slot: 1, keyVersion: 1, ...state.wrapped }] : [],
          recovery: null,
        }
      case 'POST /api/account/reauthenticate':
        if (state.isRateLimited) throw refusal(429, 'RATE_LIMITED')
        if (![...credentials.values()].includes(body['password'])) throw refusal(403, 'PASSWORD_INVALID')
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
        if (state.someoneIsFaster) state.wrapped = { wrappedKey: state.someoneIsFaster, profile: 1 }
        if (state.wrapped) throw refusal(412, 'KEYS_EXIST')
        state.wrapped = { wrappedKey: String(body['wrappedKey']), profile: Number(body['profile']) }
        return { success: true }
      }
    }
  }

  const call = (async (endpoint: { path: string; method: string }, sent: Sent['sent']) => {
    seen.push({ path: endpoint.path, sent })
    return answer(endpoint.path, endpoint.method, sent)
  }) as unknown as Call
  return { call, seen, credentials, state }
}

function openDevice(call: Call) {
  const channel = new BroadcastChannel(`enter-${crypto.randomUUID()}`)
  onTestFinished(() => channel.close())
  const session = createMemoryStorage()
  const keyRing = createKeyRing({ storage: session, channel })
  const signIns = { count: 0 }
  const deps: EnterDeps = {
    call,
    auth: {
      begin: async () => {
        signIns.count += 1
        return { id: userId, email: 'ann@example.org' }
      },
      end: async () => {
        signIns.count -= 1
      },
    } as unknown as Auth,
    keyRing,
    policy: createPolicyKeeper({ storage: createMemoryStorage(), now: () => Date.now() }),
    deriveSecrets: deriveLoginSecrets,
    deriveMasterKey: (from) => deriveMasterKey(from.password, from.userId),
    storage: createMemoryStorage(),
  }
  return { deps, keyRing, session, signIns, accountKey: () => session.getItem('accountKey') }
}

test('the password never travels: every call carries what was derived from it (ACC-02)', async () => {
  const { call, seen } = startServer()
  const { deps } = openDevice(call)

  await register(deps, { email: 'Ann@Example.org', password, licenseKey: '', mayEnter: true })

  expect(JSON.stringify(seen)).not.toContain(password)
  const login = seen.find(({ path }) => path === '/api/login')
  expect(login?.sent.body?.['password']).toMatch(/^Zk2\.[A-Za-z0-9_-]{43}$/)
  expect(login?.sent.body?.['email']).toBe('ann@example.org')
})

test('the first sign-in makes the account key, and the next device opens the same one', async () => {
  const { call, seen } = startServer()
  const first = openDevice(call)
  const second = openDevice(call)

  await register(first.deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: true })
  await signIn(second.deps, { typed: 'ann@example.org', password, remember: true, passSecondFactor })

  expect(second.accountKey()).toBe(first.accountKey())
  const created = seen.filter(({ sent }) => sent.headers?.['if-none-match'] === '*')
  expect(created).toHaveLength(1)
})

test('of two devices that make a key at once, the slower takes the key of the faster', async () => {
  const server = startServer()
  const faster = openDevice(server.call)
  await register(faster.deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: true })
  const kept = server.state.wrapped?.wrappedKey ?? null
  server.state.wrapped = null
  server.state.someoneIsFaster = kept
  const slower = openDevice(server.call)

  await signIn(slower.deps, { typed: 'ann@example.org', password, remember: false, passSecondFactor })

  expect(slower.accountKey()).toBe(faster.accountKey())
})

test('a wrong password is refused, and nothing is kept of the attempt', async () => {
  const { call } = startServer()
  const device = openDevice(call)
  await register(openDevice(call).deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: true })

  const attempt = signIn(device.deps, {
    typed: 'ann@example.org',
    password: 'another',
    remember: false,
    passSecondFactor,
  })

  await expect(attempt).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  expect(device.signIns.count).toBe(0)
  expect(device.session.length).toBe(0)
})

test('a sign-in whose keys do not open is taken back and said in words', async () => {
  const server = startServer()
  await register(openDevice(server.call).deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: true })
  server.state.wrapped = { wrappedKey: toBase64url(new Uint8Array(60).fill(9)), profile: 1 }
  const device = openDevice(server.call)

  const attempt = signIn(device.deps, { typed: 'ann@example.org', password, remember: false, passSecondFactor })

  await expect(attempt).rejects.toThrow(signInWords.noKeys)
  expect(device.signIns.count).toBe(0)
  expect(device.deps.policy.isKept()).toBe(false)
})

test('unlocking asks for no new sign-in and tells a wrong password by itself', async () => {
  const { call, seen } = startServer()
  const first = openDevice(call)
  await register(first.deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: true })
  const account = { id: userId, email: 'ann@example.org' }
  const tab = openDevice(call)
  seen.length = 0

  const wrong = await unlock(tab.deps, { account, password: 'another' }).catch((error: unknown) => error)
  await unlock(tab.deps, { account, password })

  expect(isWrongKey(wrong)).toBe(true)
  expect(tab.accountKey()).toBe(first.accountKey())
  expect(seen.map(({ path }) => path)).not.toContain('/api/login')
})

test('an account that has to confirm its address first is made but not entered', async () => {
  const { call, seen } = startServer()
  const device = openDevice(call)

  const account = await register(device.deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: false })

  expect(account).toBeNull()
  expect(seen.map(({ path }) => path)).not.toContain('/api/login')
})

test('a licence key goes along only when one was given (ACC-21)', async () => {
  const { call, seen } = startServer()
  const { deps } = openDevice(call)

  await register(deps, { email: 'ann@example.org', password, licenseKey: 'SP-1', mayEnter: false })
  await register(deps, { email: 'bob@example.org', password, licenseKey: '', mayEnter: false })

  const bodies = seen.filter(({ path }) => path === '/api/register').map(({ sent }) => sent.body)
  expect(bodies[0]).toHaveProperty('licenseKey', 'SP-1')
  expect(bodies[1]).not.toHaveProperty('licenseKey')
})

test('the wished policy goes along with the sign-in (ACC-11)', async () => {
  const { call, seen } = startServer()
  const { deps } = openDevice(call)
  await register(deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: true })

  await signIn(deps, { typed: 'ann@example.org', password, remember: true, passSecondFactor })

  const policies = seen
    .filter(({ path }) => path === '/api/login')
    .map(({ sent }) => sent.headers?.['x-session-policy'])
  expect(policies).toEqual(['short', 'remember'])
})

test('a second factor is asked for before the keys are, and whoever gives up is signed out again (ACC-18)', async () => {
  const { call, seen, state } = startServer()
  const { deps, keyRing, signIns } = openDevice(call)
  await register(deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: true })
  keyRing.close()
  state.outcome = { mfa_required: true }
  const before = seen.length
  const asked: string[][] = []
  const paths = () => seen.slice(before).map(({ path }) => path)

  await signIn(deps, {
    typed: 'ann@example.org',
    password,
    remember: false,
    passSecondFactor: async () => {
      asked.push(paths())
    },
  })
  expect(asked).toEqual([['/api/auth/prelogin', '/api/login']])
  expect(keyRing.state.current().phase).toBe('open')

  keyRing.close()
  const count = signIns.count
  const declined = new Error('declined')
  const attempt = signIn(deps, {
    typed: 'ann@example.org',
    password,
    remember: false,
    passSecondFactor: () => Promise.reject(declined),
  })
  await expect(attempt).rejects.toBe(declined)
  expect(signIns.count).toBe(count)
  expect(keyRing.state.current().phase).toBe('locked')
})

test('a previous key is restored where the present one was replaced by one that does not open', async () => {
  const { call, state } = startServer()
  const first = openDevice(call)
  await register(first.deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: true })
  state.previous = state.wrapped?.wrappedKey ?? null
  state.wrapped = { wrappedKey: toBase64url(new Uint8Array(60).fill(9)), profile: 1 }
  const signedIn = openDevice(call)
  const locked = openDevice(call)
  const account = { id: userId, email: 'ann@example.org', phone: '' }

  await signIn(signedIn.deps, { typed: 'ann@example.org', password, remember: false, passSecondFactor })
  const wrong = await unlock(locked.deps, { account, password: 'another one' }).catch((error: unknown) => error)
  await unlock(locked.deps, { account, password })

  expect(signedIn.accountKey()).toBe(first.accountKey())
  expect(wrong).toMatchObject({ code: 'wrong-key' })
  expect(locked.accountKey()).toBe(first.accountKey())
  expect([state.restored, state.confirmed]).toEqual([2, 1])
})

test('an old password opens no previous key on the unlock screen', async () => {
  const { call, state, credentials } = startServer()
  const { deps, keyRing } = openDevice(call)
  await register(deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: true })
  keyRing.close()
  state.previous = state.wrapped?.wrappedKey ?? null
  state.wrapped = { wrappedKey: toBase64url(new Uint8Array(60).fill(9)), profile: 1 }
  credentials.set('ann@example.org', 'that of a newer password')

  const attempt = unlock(deps, { account: { id: userId, email: 'ann@example.org', phone: '' }, password })

  await expect(attempt).rejects.toMatchObject({ code: 'wrong-key' })
  expect(state.restored).toBe(0)
})

/** An account whose key in use was replaced by one that the password does not open, while an earlier one would. */
async function anAccountWithAReplacedKey() {
  const server = startServer()
  const { deps, keyRing } = openDevice(server.call)
  await register(deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: true })
  keyRing.close()
  server.state.previous = server.state.wrapped?.wrappedKey ?? null
  server.state.wrapped = { wrappedKey: toBase64url(new Uint8Array(60).fill(9)), profile: 1 }
  server.seen.length = 0
  return { ...server, deps, account: { id: userId, email: 'ann@example.org', phone: '' } }
}

const confirmedBy = (seen: readonly Sent[]) =>
  seen
    .filter(({ path }) => path === '/api/account/reauthenticate')
    .map(({ sent }) => String(sent.body?.['password']).slice(0, 4))

test('T032 unlocking sends no weaker credential when the server names the weaker profile', async () => {
  const { deps, state, seen, account } = await anAccountWithAReplacedKey()
  state.profiles = [1]

  await expect(unlock(deps, { account, password })).rejects.toMatchObject({ code: 'wrong-key' })

  expect(confirmedBy(seen)).toEqual([])
})

test('T032 unlocking confirms the password by the stronger profile alone when the server names both', async () => {
  const { deps, state, seen, account } = await anAccountWithAReplacedKey()
  state.profiles = [1, 2]

  await unlock(deps, { account, password }).catch(() => undefined)

  expect(confirmedBy(seen)).toEqual(['Zk2.'])
})

test('unlocking says that the password could not be compared, and does not call it wrong', async () => {
  const { deps, state, account } = await anAccountWithAReplacedKey()
  state.isRateLimited = true

  await expect(unlock(deps, { account, password })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})

test('unlocking confirms nothing while a later profile opens the key', async () => {
  const { call, seen, state } = await anOlderAccount([1])
  const { deps, keyRing } = openDevice(call)
  await signIn(deps, { ...older, mayUseWeaker: true })
  // Raising the profile in the background ends with this call, which the server refuses.
  await until(() => seen.some(({ path }) => path === '/api/account/keys/staged'))
  keyRing.close()
  seen.length = 0
  state.profiles = [2, 1]

  await unlock(deps, { account: { id: userId, email: 'ann@example.org', phone: '' }, password })

  expect(keyRing.state.current().phase).toBe('open')
  expect(confirmedBy(seen)).toEqual([])
})

test('an account that goes by a number is unlocked by the salt of its number (ACC-03)', async () => {
  const { call, seen } = startServer()
  const { deps } = openDevice(call)
  await register(deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: true })
  const before = seen.length

  await unlock(deps, { account: { id: userId, email: '', phone: '491701234567' }, password })

  expect(seen[before]?.sent.body).toEqual({ phone: '+491701234567' })
})

test('an account whose licence has ended is let in without its keys, and says so (ACC-05)', async () => {
  const { call, seen, state } = startServer()
  const { deps, keyRing } = openDevice(call)
  await register(deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: true })
  keyRing.close()
  state.outcome = { upgrade_required: true, trial_expired: true, upgrade_message: 'It is over.' }
  const before = seen.length

  const entered = await signIn(deps, { typed: 'ann@example.org', password, remember: false, passSecondFactor })

  expect(entered.upgrade).toEqual({ isPersistent: true, isTrialOver: true, message: 'It is over.' })
  expect(keyRing.state.current().phase).toBe('locked')
  expect(seen.slice(before).map(({ path }) => path)).toEqual(['/api/auth/prelogin', '/api/login'])
})

/** An account that was made when credentials were made by the weaker profile. */
async function anOlderAccount(offered: readonly number[]) {
  const server = startServer({ profiles: offered })
  const { credential } = await deriveLoginSecrets({ password, salt: new Uint8Array(16).fill(7), profile: 1 })
  server.credentials.set('ann@example.org', credential)
  return server
}
const older = { typed: 'ann@example.org', password, remember: false, passSecondFactor }
const sentCredentials = (seen: readonly Sent[]) =>
  seen.filter(({ path }) => path === '/api/login').map(({ sent }) => String(sent.body?.['password']).slice(0, 4))

test.each([[[1]], [[1, 2]], [[2, 1]]])(
  'T032 a fresh device sends no weaker credential when the server names the profiles %j',
  async (offered) => {
    const { call, seen } = await anOlderAccount(offered)

    await expect(signIn(openDevice(call).deps, older)).rejects.toMatchObject({ code: 'WEAKER_PROFILE' })

    expect(sentCredentials(seen)).not.toContain('Zk1.')
  },
)

test('an older account is entered once the person agrees to its profile, by that profile alone', async () => {
  const { call, seen } = await anOlderAccount([1, 2])
  const { deps, keyRing } = openDevice(call)

  await signIn(deps, { ...older, mayUseWeaker: true })

  expect(keyRing.state.current().phase).toBe('open')
  expect(sentCredentials(seen)).toEqual(['Zk1.'])
})

test('T032 a new account is made with the stronger profile, whatever the server names', async () => {
  const { call, seen } = startServer({ profiles: [1] })

  await register(openDevice(call).deps, { email: 'ann@example.org', password, licenseKey: '', mayEnter: false })

  const made = seen.find(({ path }) => path === '/api/register')
  expect(made?.sent.body?.['password']).toMatch(/^Zk2\./)
})
