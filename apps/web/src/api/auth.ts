import { NetworkError } from '@sallyport/client/errors'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { signInLimits } from '@sallyport/contract/limits'
import type { AuthChangeEvent, GoTrueClient, Session } from '@supabase/auth-js'
import { signInWords } from '#/words/sign-in.ts'
import { sayAuthError } from './auth-words.ts'
import { readClaims } from './claims.ts'
import { SpokenError } from './failure.ts'
import { hasStoredSignIn } from './stored-sign-in.ts'

/** Who is signed in, as the access token says. */
export interface Account {
  readonly id: string
  /** Empty for somebody who goes by a phone number. */
  readonly email: string
  /** In digits, as the server has it; there only where there is no address. */
  readonly phone?: string
}

export type AuthState =
  | { readonly phase: 'restoring' }
  | { readonly phase: 'signed-out' }
  /** The password was right, but the account also wants a code. */
  | { readonly phase: 'second-factor'; readonly account: Account }
  | { readonly phase: 'signed-in'; readonly account: Account }

/** What an account is called: what its holder would type to come in. */
export const nameOf = ({ email, phone }: Account): string => (phone === undefined ? email : `+${phone}`)

/** The two tokens of a new sign-in. */
interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

export interface Auth {
  readonly state: Observable<AuthState>
  /** Takes a sign-in that the server has just given. Fails with the words that a person is to read. */
  readonly begin: (tokens: Tokens) => Promise<Account>
  /** Ends the sign-in of this browser, and of no other device; works offline too. */
  readonly end: () => Promise<void>
  /** Whether this browser still holds a sign-in, good or not. */
  readonly isKept: () => boolean
  /** A token that is good now; given one that was turned down, another one or null. */
  readonly accessToken: (turnedDown?: string) => Promise<string | null>
  /** The provider's own client, for what is asked of it beyond coming and going. */
  readonly provider: () => Promise<GoTrueClient>
}

interface Deps {
  /** Loads the client only where somebody is or wants to be signed in, since it is as heavy as the landing page. */
  readonly loadClient: () => Promise<GoTrueClient>
  readonly storage: Storage
  /** Where the browser tells of changes that other tabs make to the storage. */
  readonly page: Pick<EventTarget, 'addEventListener'>
  readonly now: () => number
}

/** The provider's client behind the few things the page asks of it. */
export function createAuth({ loadClient, storage, page, now }: Deps): Auth {
  const startedAt = now()
  const state = createSubject<AuthState>({ phase: hasStoredSignIn(storage) ? 'restoring' : 'signed-out' })
  let client: Promise<GoTrueClient> | undefined

  function become(next: AuthState): void {
    if (!isSame(state.current(), next)) state.set(next)
  }

  function follow(event: AuthChangeEvent, session: Session | null): void {
    // A sign-out that nobody asked for is not believed while the page is still loading.
    const isEarly = now() - startedAt < signInLimits.graceMs
    if (event === 'SIGNED_OUT' && isEarly && state.current().phase === 'restoring') return
    // An answer that came after the end of its sign-in is told all the same.
    if (session && !hasStoredSignIn(storage)) return
    become(session ? phaseOf(session) : { phase: 'signed-out' })
  }

  function ready(): Promise<GoTrueClient> {
    client ??= loadClient().then(
      (loaded) => {
        loaded.onAuthStateChange(follow)
        return loaded
      },
      (error: unknown) => {
        client = undefined
        throw error
      },
    )
    return client
  }

  async function renew(turnedDown: string): Promise<string | null> {
    const held = await heldToken()
    if (held !== turnedDown) return held
    return tokenOf(await (await ready()).refreshSession())
  }

  const heldToken = async (): Promise<string | null> => tokenOf(await (await ready()).getSession())

  // Another tab may sign in while this one still shows the way in.
  page.addEventListener('storage', () => {
    if (state.current().phase === 'signed-out' && hasStoredSignIn(storage)) ready().catch(() => undefined)
  })
  if (state.current().phase === 'restoring') ready().catch(() => become({ phase: 'signed-out' }))

  return {
    state,
    async begin({ access_token, refresh_token }) {
      const { data, error } = await (await ready()).setSession({ access_token, refresh_token })
      if (error || !data.session)
        throw new SpokenError(signInWords.notEstablished(error ? sayAuthError(error) : signInWords.failed))
      return accountOf(data.session)
    },
    async end() {
      if (state.current().phase === 'signed-out' && !hasStoredSignIn(storage)) return
      await (await ready()).signOut({ scope: 'local' })
      become({ phase: 'signed-out' })
    },
    isKept: () => hasStoredSignIn(storage),
    async accessToken(turnedDown) {
      if (state.current().phase === 'signed-out' && !hasStoredSignIn(storage)) return null
      return turnedDown === undefined ? heldToken() : renew(turnedDown)
    },
    provider: ready,
  }
}

/** A token that could not be renewed for want of a connection is no sign that the sign-in is over. */
function tokenOf({ data, error }: { data: { session: Session | null }; error: Error | null }): string | null {
  if (error?.name === 'AuthRetryableFetchError') throw new NetworkError(undefined, { cause: error })
  return data.session?.access_token ?? null
}

function phaseOf(session: Session): AuthState {
  const hasFactor = session.user.factors?.some(({ status }) => status === 'verified') ?? false
  const lacksIt = hasFactor && readClaims(session.access_token)['aal'] !== 'aal2'
  return { phase: lacksIt ? 'second-factor' : 'signed-in', account: accountOf(session) }
}

function accountOf({ user: { id, email = '', phone = '' } }: Session): Account {
  return email === '' && phone !== '' ? { id, email, phone } : { id, email }
}

function isSame(left: AuthState, right: AuthState): boolean {
  if (left.phase !== right.phase) return false
  if (!('account' in left) || !('account' in right)) return true
  return left.account.id === right.account.id && nameOf(left.account) === nameOf(right.account)
}
