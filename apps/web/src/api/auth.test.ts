import { NetworkError } from '@sallyport/client/errors'
import type { AuthChangeEvent, GoTrueClient, Session } from '@supabase/auth-js'
import { expect, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { until } from '#/testing/until.ts'
import { createAuth, nameOf } from './auth.ts'
import { authStorageKey } from './stored-sign-in.ts'

const session = { access_token: 'first', user: { id: 'u1', email: 'ann@example.org' } } as Session
const retryable = Object.assign(new Error('offline'), { name: 'AuthRetryableFetchError' })

/** The provider's client as far as it is used, with the events in our hands. */
function openBrowser({ hasSignIn = true }: { hasSignIn?: boolean } = {}) {
  let now = 0
  let loads = 0
  let tell: (event: AuthChangeEvent, session: Session | null) => void = () => undefined
  const storage = createMemoryStorage(hasSignIn ? { [authStorageKey]: '{}' } : {})
  const held: { answer: unknown } = { answer: { data: { session }, error: null } }
  const renewed: { answer: unknown } = {
    answer: { data: { session: { ...session, access_token: 'second' } }, error: null },
  }
  const signOuts: unknown[] = []
  const client = {
    onAuthStateChange: (callBack: typeof tell) => {
      tell = callBack
    },
    getSession: async () => held.answer,
    refreshSession: async () => renewed.answer,
    setSession: async () => held.answer,
    signOut: async (options: unknown) => signOuts.push(options),
  } as unknown as GoTrueClient
  const page = new EventTarget()
  const auth = createAuth({
    loadClient: async () => {
      loads += 1
      return client
    },
    storage,
    page,
    now: () => now,
  })
  return {
    auth,
    storage,
    page,
    held,
    renewed,
    signOuts,
    loads: () => loads,
    at: (milliseconds: number) => {
      now = milliseconds
    },
    tell: async (event: AuthChangeEvent, about: Session | null) => {
      await until(() => loads > 0)
      tell(event, about)
    },
  }
}

test('without a sign-in the client is not even loaded', async () => {
  const { auth, loads } = openBrowser({ hasSignIn: false })

  expect(auth.state.current()).toEqual({ phase: 'signed-out' })
  expect(await auth.accessToken()).toBeNull()
  await auth.end()
  expect(loads()).toBe(0)
})

test('a page that is loaded restores the sign-in (ACC-10)', async () => {
  const { auth, tell } = openBrowser()
  expect(auth.state.current()).toEqual({ phase: 'restoring' })

  await tell('INITIAL_SESSION', session)

  expect(auth.state.current()).toEqual({ phase: 'signed-in', account: { id: 'u1', email: 'ann@example.org' } })
})

test('an account without an address goes by its number (ACC-03)', async () => {
  const { auth, tell } = openBrowser()

  await tell('INITIAL_SESSION', { ...session, user: { ...session.user, email: '', phone: '491701234567' } })

  const now = auth.state.current()
  expect(now).toEqual({ phase: 'signed-in', account: { id: 'u1', email: '', phone: '491701234567' } })
  expect('account' in now && nameOf(now.account)).toBe('+491701234567')
})

test('a sign-out within two seconds of loading that nobody asked for is ignored, a later one is not (ACC-10)', async () => {
  const { auth, tell, at } = openBrowser()

  at(1999)
  await tell('SIGNED_OUT', null)
  expect(auth.state.current()).toEqual({ phase: 'restoring' })

  at(2000)
  await tell('SIGNED_OUT', null)
  expect(auth.state.current()).toEqual({ phase: 'signed-out' })
})

test('signing out ends this sign-in only, and no other device (ACC-12)', async () => {
  const { auth, tell, signOuts } = openBrowser()
  await tell('INITIAL_SESSION', session)

  await auth.end()

  expect(signOuts).toEqual([{ scope: 'local' }])
  expect(auth.state.current()).toEqual({ phase: 'signed-out' })
})

test('a token that was turned down is renewed; one that was renewed meanwhile is given as it is', async () => {
  const { auth } = openBrowser()

  expect(await auth.accessToken()).toBe('first')
  expect(await auth.accessToken('first')).toBe('second')
  expect(await auth.accessToken('older')).toBe('first')
})

test('a sign-in that cannot be renewed gives no token', async () => {
  const { auth, renewed } = openBrowser()
  renewed.answer = { data: { session: null }, error: new Error('Invalid Refresh Token') }

  expect(await auth.accessToken('first')).toBeNull()
})

test('a lost connection is no end of the sign-in', async () => {
  const { auth, renewed } = openBrowser()
  renewed.answer = { data: { session: null }, error: retryable }

  await expect(auth.accessToken('first')).rejects.toBeInstanceOf(NetworkError)
})

test('a sign-in that cannot be established says why (ACC-20)', async () => {
  const { auth, held } = openBrowser()
  held.answer = { data: { session: null }, error: new Error('Auth session missing!') }

  const attempt = auth.begin({ access_token: 'a', refresh_token: 'r' })

  await expect(attempt).rejects.toThrow('Failed to establish session: Auth session missing!')
})

test('a sign-in in another tab is noticed here', async () => {
  const { storage, page, loads } = openBrowser({ hasSignIn: false })
  storage.setItem(authStorageKey, '{}')

  page.dispatchEvent(new Event('storage'))

  await until(() => loads() === 1)
})

test('a sign-in by password alone is not a whole one where a second factor is set up (ACC-18, ACC-10)', async () => {
  const { auth, tell } = openBrowser()
  const user = { ...session.user, factors: [{ id: 'f1', status: 'verified' }] } as Session['user']
  const withLevel = (aal: string) => ({ ...session, user, access_token: `x.${btoa(JSON.stringify({ aal }))}.y` })

  await tell('SIGNED_IN', withLevel('aal1'))
  expect(auth.state.current().phase).toBe('second-factor')

  await tell('MFA_CHALLENGE_VERIFIED', withLevel('aal2'))
  expect(auth.state.current().phase).toBe('signed-in')
})
