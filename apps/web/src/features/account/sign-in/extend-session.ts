import { loadCode } from '@sallyport/browser/load-code'
import { createCaller } from '@sallyport/client/call'
import { ignore } from '@sallyport/contract/ignore'
import type { GoTrueClient, Session } from '@supabase/auth-js'
import { unwrapAuthResponse } from '#/lib/api/auth-errors.ts'
import { readClaims } from '#/lib/api/claims.ts'
import { staySignedInStrings } from '#/strings/account/sign-in.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import type { UpgradeOffer } from '../sign-up/upgrade-offer-store.ts'
import { redeemBackupCodeWithClient } from '../two-factor/backup-codes.ts'
import type { MfaChallengeDeps } from '../two-factor/mfa-challenge.tsx'
import { identifierOf } from './identifier.ts'
import { logIn, type SignInDeps, upgradeOfferOf, withLoginSecrets } from './sign-in.ts'

export interface ExtendSessionDeps extends SignInDeps {
  readonly createEphemeralAuthClient: () => Promise<GoTrueClient>
}

interface ExtendSessionInput {
  /** The name of the signed-in account. */
  readonly name: string
  readonly password: string
  /** Prompts for the second factor of the new auth session; rejects when the user cancels. */
  readonly completeMfa: (mfa: MfaChallengeDeps) => Promise<void>
}

type Tokens = Pick<Session, 'access_token' | 'refresh_token'>

/**
 * Replaces the auth session of the signed-in account with a new one. The current one and its keys stay as they are until
 * the new one is complete.
 */
export async function extendSession(deps: ExtendSessionDeps, input: ExtendSessionInput): Promise<UpgradeOffer | null> {
  const { name, password, completeMfa } = input
  const { auth, sessionLifetime } = deps
  const identifier = identifierOf(name)
  const remember = sessionLifetime.isRemembered()
  const reply = await withLoginSecrets(deps, { identifier, password, allowsWeakerProfile: false }, ({ secrets }) =>
    logIn(deps, { identifier, credential: secrets.credential, remember }),
  )
  const tokens = reply.mfa_required ? await addSecondFactor(deps, reply.session, completeMfa) : reply.session
  const now = auth.state.current()
  const isSameAccount = 'account' in now && now.account.id === readClaims(tokens.access_token)['sub']
  if (!isSameAccount) throw new UserFacingError(staySignedInStrings.failed)
  const account = await auth.begin(tokens)
  sessionLifetime.start(remember)
  if (remember)
    await rememberAgain(deps, account.id).catch((error) => ignore(error, 'the next page load asks for the password'))
  return upgradeOfferOf(reply)
}

/** Verifies the second factor with a client of its own, which the current auth session does not notice. */
async function addSecondFactor(
  { createEphemeralAuthClient }: ExtendSessionDeps,
  { access_token, refresh_token }: Tokens,
  completeMfa: ExtendSessionInput['completeMfa'],
): Promise<Tokens> {
  const client = await createEphemeralAuthClient()
  unwrapAuthResponse(await client.setSession({ access_token, refresh_token }))
  const currentTokens = async () => (await client.getSession()).data.session
  const call = createCaller({
    baseUrl: '',
    fetch: (...request) => fetch(...request),
    getAccessToken: async () => (await currentTokens())?.access_token ?? null,
  })
  try {
    await completeMfa({
      provider: async () => client,
      redeemBackupCode: (code) => redeemBackupCodeWithClient({ call, provider: client, code }),
    })
  } catch (error) {
    void client.signOut({ scope: 'local' })
    throw error
  }
  const tokens = await currentTokens()
  if (!tokens) throw new UserFacingError(staySignedInStrings.failed)
  return tokens
}

/** The server's share of a remembered device belongs to one auth session. */
async function rememberAgain(deps: SignInDeps, userId: string): Promise<void> {
  const keys = deps.keyRing.keysOf(userId)
  const { refreshRememberedDevice } = await loadCode(() => import('#/lib/keys/remembered-device.ts'))
  if (keys) await refreshRememberedDevice(deps, keys)
}
