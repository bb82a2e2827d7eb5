import { systemClock } from '@sallyport/client/clock'
import { NetworkError } from '@sallyport/client/errors'
import type { AuthChangeEvent, GoTrueClient, Session } from '@supabase/auth-js'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { until } from '#/testing/until.ts'
import { accountName, createAuth } from './auth.ts'
import { createAuthClient } from './auth-client.ts'
import { authStorageKey } from './stored-auth-session.ts'

afterEach(() => void vi.unstubAllGlobals())

const session = { access_token: 'first', user: { id: 'u1', email: 'ann@example.org' } } as Session
const retryable = Object.assign(new Error('offline'), { name: 'AuthRetryableFetchError' })

/** A fake of the provider's client whose events the test emits. */
function openBrowser({
  hasSignIn: hasAuthSession = true,
  failures = 0,
}: {
  hasSignIn?: boolean
  failures?: number
} = {}) {
  let now = 0
  let loads = 0
  const pauses: number[] = []
  let emit: (event: AuthChangeEvent, session: Session | null) => void = () => undefined
  const storage = createMemoryStorage(hasAuthSession ? { [authStorageKey]: '{}' } : {})
  const sessionResponse: { answer: unknown } = { answer: { data: { session }, error: null } }
  const refreshResponse: { answer: unknown } = {
    answer: { data: { session: { ...session, access_token: 'second' } }, error: null },
  }
  const signOuts: unknown[] = []
  const client = {
    onAuthStateChange: (callBack: typeof emit) => {
      emit = callBack
    },
    getSession: async () => sessionResponse.answer,
    refreshSession: async () => refreshResponse.answer,
    setSession: async () => sessionResponse.answer,
    signOut: async (options: unknown) => signOuts.push(options),
  } as unknown as GoTrueClient
  const page = new EventTarget()
  const auth = createAuth({
    loadClient: async () => {
      loads += 1
      if (loads <= failures) throw new NetworkError()
      return client
    },
    storage,
    page,
    clock: { now: () => now, wait: async (milliseconds) => void pauses.push(milliseconds) },
  })
  return {
    auth,
    storage,
    page,
    sessionResponse,
    refreshResponse,
    signOuts,
    loads: () => loads,
    pauses,
    setTime: (milliseconds: number) => {
      now = milliseconds
    },
    emit: async (event: AuthChangeEvent, session: Session | null) => {
      await until(() => loads > 0)
      emit(event, session)
    },
  }
}

test('the provider client is not loaded while no auth session is stored', async () => {
  const { auth, loads } = openBrowser({ hasSignIn: false })

  expect(auth.state.current()).toEqual({ phase: 'signed-out' })
  expect(await auth.accessToken()).toBeNull()
  await auth.end()
  expect(loads()).toBe(0)
})

test('a server that cannot be reached leaves the auth session stored, and is asked until it answers (ACC-10)', async () => {
  const { auth, emit, loads, pauses } = openBrowser({ failures: 6 })
  const phases: unknown[] = []
  auth.state.subscribe(() => phases.push(auth.state.current()))

  await until(() => loads() === 7)
  await emit('INITIAL_SESSION', session)

  expect(phases[0]).toEqual({ phase: 'restoring', isDelayed: true })
  expect(phases.at(-1)).toMatchObject({ phase: 'signed-in' })
  expect(phases).toHaveLength(2)
  expect(pauses.map((pause) => pause <= 15_000)).toEqual(Array(6).fill(true))
})

test('loading the page restores the auth session (ACC-10)', async () => {
  const { auth, emit } = openBrowser()
  expect(auth.state.current()).toEqual({ phase: 'restoring' })

  await emit('INITIAL_SESSION', session)

  expect(auth.state.current()).toEqual({ phase: 'signed-in', account: { id: 'u1', email: 'ann@example.org' } })
})

test('an account without an email address is named by its phone number (ACC-03)', async () => {
  const { auth, emit } = openBrowser()

  await emit('INITIAL_SESSION', { ...session, user: { ...session.user, email: '', phone: '491701234567' } })

  const now = auth.state.current()
  expect(now).toEqual({ phase: 'signed-in', account: { id: 'u1', email: '', phone: '491701234567' } })
  expect('account' in now && accountName(now.account)).toBe('+491701234567')
})

test('an unrequested sign-out within 2 s of loading is ignored, a later one is not (ACC-10)', async () => {
  const { auth, emit, setTime } = openBrowser()

  setTime(1999)
  await emit('SIGNED_OUT', null)
  expect(auth.state.current()).toEqual({ phase: 'restoring' })

  setTime(2000)
  await emit('SIGNED_OUT', null)
  expect(auth.state.current()).toEqual({ phase: 'signed-out' })
})

test('signing out ends only this auth session and signs out no other device (ACC-12)', async () => {
  const { auth, emit, signOuts } = openBrowser()
  await emit('INITIAL_SESSION', session)

  await auth.end()

  expect(signOuts).toEqual([{ scope: 'local' }])
  expect(auth.state.current()).toEqual({ phase: 'signed-out' })
})

test('a signed-out page shows each auth session that another tab starts, also a second one', async () => {
  const { auth, emit, page, storage } = openBrowser({ hasSignIn: false })
  const signInElsewhere = () => {
    storage.setItem(authStorageKey, '{}')
    page.dispatchEvent(new Event('storage'))
  }

  for (const _ of ['first', 'second']) {
    signInElsewhere()
    await until(() => auth.state.current().phase === 'signed-in')
    storage.removeItem(authStorageKey)
    await emit('SIGNED_OUT', null)
    expect(auth.state.current()).toEqual({ phase: 'signed-out' })
  }
})

test('T037 a tab whose storage is behind the sign-out of another tab is signed out once its storage has caught up', async () => {
  const { auth, emit, page, storage } = openBrowser()
  await emit('INITIAL_SESSION', session)

  await emit('SIGNED_OUT', null)
  page.dispatchEvent(new Event('storage'))
  await until(() => auth.state.current().phase === 'signed-in')
  storage.removeItem(authStorageKey)
  page.dispatchEvent(new Event('storage'))

  expect(auth.state.current()).toEqual({ phase: 'signed-out' })
})

test('a rejected token is refreshed; one that was refreshed in the meantime is returned as is', async () => {
  const { auth } = openBrowser()

  expect(await auth.accessToken()).toBe('first')
  expect(await auth.accessToken('first')).toBe('second')
  expect(await auth.accessToken('older')).toBe('first')
})

test('the requests of a second share a token, but not with another account that signs in meanwhile', async () => {
  const { auth, emit, sessionResponse, setTime } = openBrowser()
  const store = (token: string) => {
    sessionResponse.answer = { data: { session: { ...session, access_token: token } }, error: null }
  }
  await emit('INITIAL_SESSION', session)
  expect(await auth.accessToken()).toBe('first')

  store('later')
  setTime(999)
  expect(await auth.accessToken()).toBe('first')
  setTime(1000)
  expect(await auth.accessToken()).toBe('later')

  store('of another account')
  await emit('SIGNED_IN', { ...session, user: { ...session.user, id: 'u2' } })
  expect(await auth.accessToken()).toBe('of another account')
})

test('a token that was being read while another account signed in is used for no further request', async () => {
  const { auth, emit, sessionResponse } = openBrowser()
  await emit('INITIAL_SESSION', session)
  const reading = auth.accessToken()
  sessionResponse.answer = { data: { session: { ...session, access_token: 'of another account' } }, error: null }
  await emit('SIGNED_IN', { ...session, user: { ...session.user, id: 'u2' } })
  await reading

  expect(await auth.accessToken()).toBe('of another account')
})

test('an auth session that cannot be refreshed returns no token', async () => {
  const { auth, refreshResponse } = openBrowser()
  refreshResponse.answer = { data: { session: null }, error: new Error('Invalid Refresh Token') }

  expect(await auth.accessToken('first')).toBeNull()
})

test('a lost connection does not end the auth session', async () => {
  const { auth, refreshResponse } = openBrowser()
  refreshResponse.answer = { data: { session: null }, error: retryable }

  await expect(auth.accessToken('first')).rejects.toBeInstanceOf(NetworkError)
})

test('T070 tabs whose token was rejected at the same time all get the refreshed one, and none signs out', async () => {
  const stored = {
    access_token: 'rejected',
    refresh_token: 'r1',
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: Date.now() / 1000 + 3600,
    user: session.user,
  }
  const storage = createMemoryStorage({ [authStorageKey]: JSON.stringify(stored) })
  vi.stubGlobal('localStorage', storage)
  const requests: PromiseWithResolvers<Response>[] = []
  vi.stubGlobal('fetch', () => {
    requests.push(Promise.withResolvers())
    return requests.at(-1)?.promise
  })
  const tabs = [openTab(storage), openTab(storage)]

  const tokens = tabs.map((tab) => tab.accessToken('rejected'))
  await until(() => requests.length === 2)
  const refreshed = JSON.stringify({ ...stored, access_token: 'refreshed', refresh_token: 'r2' })
  for (const request of requests) {
    request.resolve(new Response(refreshed, { headers: { 'Content-Type': 'application/json' } }))
    await new Promise((resolve) => setTimeout(resolve))
  }

  expect(await Promise.all(tokens)).toEqual(['refreshed', 'refreshed'])
})

/** A tab with the provider's own client. */
function openTab(storage: Storage) {
  const client = createAuthClient({ url: 'https://files.example/auth/v1', publishableKey: '' })
  onTestFinished(() => client.stopAutoRefresh())
  return createAuth({ loadClient: async () => client, storage, page: new EventTarget(), clock: systemClock })
}

test('T070 a request is not sent again as another account that has signed in in another tab', async () => {
  const { auth, sessionResponse } = openBrowser()
  const tokenOf = (sub: string) => `h.${btoa(JSON.stringify({ sub }))}.s`
  sessionResponse.answer = { data: { session: { ...session, access_token: tokenOf('bob') } }, error: null }

  await expect(auth.accessToken(tokenOf('ann'))).rejects.toThrow('Another account has signed in')
})

test('T070 a sign-out in another tab during a refresh ends the auth session here', async () => {
  const { auth, sessionResponse, refreshResponse } = openBrowser()
  const rejected = auth.accessToken('first')
  refreshResponse.answer = { data: { session: null }, error: new Error('discarded') }
  sessionResponse.answer = { data: { session: null }, error: null }

  expect(await rejected).toBeNull()
})

test('an auth session that cannot be established reports the reason (ACC-20)', async () => {
  const { auth, sessionResponse } = openBrowser()
  sessionResponse.answer = { data: { session: null }, error: new Error('Auth session missing!') }

  const attempt = auth.begin({ access_token: 'a', refresh_token: 'r' })

  await expect(attempt).rejects.toThrow('Failed to establish session: Auth session missing!')
})

test('a sign-in in another tab is detected', async () => {
  const { storage, page, loads } = openBrowser({ hasSignIn: false })
  storage.setItem(authStorageKey, '{}')

  page.dispatchEvent(new Event('storage'))

  await until(() => loads() === 1)
})

test('a password alone does not complete the sign-in if a second factor is set up (ACC-18, ACC-10)', async () => {
  const { auth, emit } = openBrowser()
  const user = { ...session.user, factors: [{ id: 'f1', status: 'verified' }] } as Session['user']
  const withLevel = (aal: string) => ({ ...session, user, access_token: `x.${btoa(JSON.stringify({ aal }))}.y` })

  await emit('SIGNED_IN', withLevel('aal1'))
  expect(auth.state.current().phase).toBe('second-factor')

  await emit('MFA_CHALLENGE_VERIFIED', withLevel('aal2'))
  expect(auth.state.current().phase).toBe('signed-in')
})
