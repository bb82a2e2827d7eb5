import type { Clock } from '@sallyport/client/clock'
import { NetworkError } from '@sallyport/client/errors'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { ignore } from '@sallyport/contract/ignore'
import { authSessionLimits } from '@sallyport/contract/limits'
import type { AuthChangeEvent, GoTrueClient, Session } from '@supabase/auth-js'
import { signInStrings } from '#/strings/account/sign-in.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import { authErrorMessage } from './auth-errors.ts'
import { readClaims } from './claims.ts'
import { hasStoredAuthSession } from './stored-auth-session.ts'

/** The signed-in account, according to the access token. */
export interface Account {
  readonly id: string
  /** Empty for an account with a phone number only. */
  readonly email: string
  /** Digits as stored on the server; set only if there is no email address. */
  readonly phone?: string
}

export type AuthSessionState =
  /** `isDelayed` after the server could not be reached, which is tried again. */
  | { readonly phase: 'restoring'; readonly isDelayed?: boolean }
  | { readonly phase: 'signed-out' }
  /** The password was correct, but the account also requires a second factor. */
  | { readonly phase: 'second-factor'; readonly account: Account }
  | { readonly phase: 'signed-in'; readonly account: Account }

/** The name of an account: what its owner types to sign in. */
export const accountName = ({ email, phone }: Account): string => (phone === undefined ? email : `+${phone}`)

/** The two tokens of a new auth session. */
interface AuthTokens {
  readonly access_token: string
  readonly refresh_token: string
}

export interface Auth {
  readonly state: Observable<AuthSessionState>
  /** Starts an auth session with new tokens. Rejects with a user-facing message. */
  readonly begin: (tokens: AuthTokens) => Promise<Account>
  /** Ends the auth session of this browser and of no other device; works offline too. */
  readonly end: () => Promise<void>
  /** Whether this browser has stored an auth session, valid or not. */
  readonly isStored: () => boolean
  /** Returns a valid token. Pass a token that the server rejected to get another one, or null. */
  readonly accessToken: (rejectedToken?: string) => Promise<string | null>
  /** The provider's own client, for everything beyond signing in and out. */
  readonly provider: () => Promise<GoTrueClient>
}

interface AuthDeps {
  /** Loads the client lazily, because it is as large as the landing page. */
  readonly loadClient: () => Promise<GoTrueClient>
  readonly storage: Storage
  /** Emits `storage` events when other tabs change the storage. */
  readonly page: Pick<EventTarget, 'addEventListener'>
  readonly clock: Clock
}

const firstPauseMs = 1000
const maxPauseMs = 15_000
/** Thousands of small uploads would otherwise parse the stored auth session for each of their requests. */
const tokenReuseMs = 1000

/** Wraps the provider's client in the small interface that the app uses. */
export function createAuth({ loadClient, storage, page, clock }: AuthDeps): Auth {
  const startedAt = clock.now()
  const state = createSubject<AuthSessionState>({ phase: hasStoredAuthSession(storage) ? 'restoring' : 'signed-out' })
  let client: Promise<GoTrueClient> | undefined
  let lastRead: { readonly token: string; readonly readAt: number; readonly readIn: AuthSessionState } | undefined

  function setState(next: AuthSessionState): void {
    if (!isSameState(state.current(), next)) state.set(next)
  }

  function handleAuthEvent(event: AuthChangeEvent, session: Session | null): void {
    lastRead = undefined
    // An unrequested sign-out is ignored while the page is still loading.
    const isEarly = clock.now() - startedAt < authSessionLimits.graceMs
    if (event === 'SIGNED_OUT' && isEarly && state.current().phase === 'restoring') return
    // The client also emits events for responses that arrive after their auth session has ended.
    if (session && !hasStoredAuthSession(storage)) return
    setState(session ? stateOf(session) : { phase: 'signed-out' })
  }

  function loadedClient(): Promise<GoTrueClient> {
    client ??= loadClient().then(
      (loaded) => {
        loaded.onAuthStateChange(handleAuthEvent)
        return loaded
      },
      (error: unknown) => {
        client = undefined
        throw error
      },
    )
    return client
  }

  /** A server that is away says nothing about the auth session: it stays stored until the server has been asked. */
  async function restore(): Promise<void> {
    for (
      let pauseMs = firstPauseMs;
      state.current().phase === 'restoring';
      pauseMs = Math.min(2 * pauseMs, maxPauseMs)
    ) {
      try {
        return void (await loadedClient())
      } catch (error) {
        ignore(error, 'it is tried again')
        setState({ phase: 'restoring', isDelayed: true })
        await clock.wait(pauseMs * (0.5 + Math.random() / 2))
      }
    }
  }

  async function refreshedToken(rejectedToken: string): Promise<string | null> {
    const currentToken = await storedToken()
    if (currentToken !== rejectedToken) return requireSameAccount(currentToken, rejectedToken)
    const refreshed = tokenOf(await (await loadedClient()).refreshSession())
    if (refreshed !== null) return refreshed
    // The client discards its own result where another tab has stored a refreshed token meanwhile.
    const tokenOfOtherTab = await storedToken()
    return tokenOfOtherTab === rejectedToken ? null : requireSameAccount(tokenOfOtherTab, rejectedToken)
  }

  async function storedToken(): Promise<string | null> {
    const readIn = state.current()
    const token = tokenOf(await (await loadedClient()).getSession())
    lastRead = token === null ? undefined : { token, readIn, readAt: clock.now() }
    return token
  }

  /** Shows the auth session that another tab has started while this one is signed out. */
  async function adoptStored(): Promise<void> {
    if (state.current().phase !== 'signed-out' || !hasStoredAuthSession(storage)) return
    const { data } = await (await loadedClient()).getSession()
    if (data.session && hasStoredAuthSession(storage)) setState(stateOf(data.session))
  }

  page.addEventListener('storage', () => {
    lastRead = undefined
    // The storage of a tab can be behind the messages of other tabs: an auth session that has ended may have been adopted.
    if ('account' in state.current() && !hasStoredAuthSession(storage)) setState({ phase: 'signed-out' })
    adoptStored().catch((error) => ignore(error, 'the next change of the storage tries again'))
  })
  void restore()

  return {
    state,
    async begin({ access_token, refresh_token }) {
      const { data, error } = await (await loadedClient()).setSession({ access_token, refresh_token })
      if (error || !data.session)
        throw new UserFacingError(signInStrings.notEstablished(error ? authErrorMessage(error) : signInStrings.failed))
      return accountOf(data.session)
    },
    async end() {
      if (state.current().phase === 'signed-out' && !hasStoredAuthSession(storage)) return
      await (await loadedClient()).signOut({ scope: 'local' })
      setState({ phase: 'signed-out' })
    },
    isStored: () => hasStoredAuthSession(storage),
    async accessToken(rejectedToken) {
      if (state.current().phase === 'signed-out' && !hasStoredAuthSession(storage)) return null
      if (rejectedToken !== undefined) return refreshedToken(rejectedToken)
      const isFresh = lastRead?.readIn === state.current() && clock.now() - lastRead.readAt < tokenReuseMs
      return lastRead && isFresh ? lastRead.token : storedToken()
    },
    provider: loadedClient,
  }
}

/** The request of one account must not be sent again as another one, which has signed in in another tab. */
function requireSameAccount(token: string | null, rejectedToken: string): string | null {
  if (token !== null && readClaims(token)['sub'] !== readClaims(rejectedToken)['sub'])
    throw new Error('Another account has signed in')
  return token
}

/** A token that could not be refreshed while offline does not mean that the auth session has ended. */
function tokenOf({ data, error }: { data: { session: Session | null }; error: Error | null }): string | null {
  if (error?.name === 'AuthRetryableFetchError') throw new NetworkError({ cause: error })
  return data.session?.access_token ?? null
}

function stateOf(session: Session): AuthSessionState {
  const hasFactor = session.user.factors?.some(({ status }) => status === 'verified') ?? false
  const needsMfa = hasFactor && readClaims(session.access_token)['aal'] !== 'aal2'
  return { phase: needsMfa ? 'second-factor' : 'signed-in', account: accountOf(session) }
}

function accountOf({ user: { id, email = '', phone = '' } }: Session): Account {
  return email === '' && phone !== '' ? { id, email, phone } : { id, email }
}

function isSameState(left: AuthSessionState, right: AuthSessionState): boolean {
  if (left.phase !== right.phase) return false
  if (left.phase === 'restoring' && right.phase === 'restoring') return left.isDelayed === right.isDelayed
  if (!('account' in left) || !('account' in right)) return true
  return left.account.id === right.account.id && accountName(left.account) === accountName(right.account)
}
