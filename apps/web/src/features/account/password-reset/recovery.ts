import { loadCode } from '@sallyport/browser/load-code'
import { type Call, createCaller } from '@sallyport/client/call'
import { accountKeys } from '@sallyport/contract/account-keys'
import { files } from '@sallyport/contract/files'
import { membership } from '@sallyport/contract/membership'
import type { GoTrueClient, Session } from '@supabase/auth-js'
import { unwrapAuthResponse } from '#/lib/api/auth-errors.ts'
import {
  type RecoverAccountDeps,
  type RecoveredAccount,
  recoverWithoutKey,
  recoverWithRecoveryKey,
} from '#/lib/keys/recover-account.ts'
import { setPasswordStrings } from '#/strings/account/set-password.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import { isCode, openedBefore, type RecoveryLink } from './recovery-link.ts'

/** An auth session from an email link. It is stored for its tab, which may be reloaded, until the password is set. */
export interface RecoveryAuthSession {
  readonly provider: GoTrueClient
  /** Authenticated as the account of the link. */
  readonly call: Call
  readonly userId: string
  readonly email: string
  readonly phone: string
  /** Whether the account was created by an invitation. */
  readonly isInvited: boolean
  readonly needsMfa: boolean
}

/** Consumes the link, or continues with its auth session where this tab has consumed it before. */
export async function openRecoveryLink(
  provider: GoTrueClient,
  link: RecoveryLink | typeof openedBefore,
): Promise<RecoveryAuthSession> {
  const session = link === openedBefore ? await currentSessionOf(provider) : await consumeLink(provider, link)
  const assuranceLevel = unwrapAuthResponse(await provider.mfa.getAuthenticatorAssuranceLevel())
  const { user } = session
  return {
    provider,
    call: createCaller({
      baseUrl: '',
      fetch: (...request) => fetch(...request),
      getAccessToken: () => tokenOf(provider),
    }),
    userId: user.id,
    email: user.email ?? '',
    phone: user.phone ?? '',
    isInvited: user.invited_at !== undefined,
    needsMfa: assuranceLevel.nextLevel === 'aal2' && assuranceLevel.currentLevel !== 'aal2',
  }
}

async function consumeLink(provider: GoTrueClient, { token, email }: RecoveryLink): Promise<Session> {
  const otpParams = isCode(token)
    ? { email, token, type: 'recovery' as const }
    : { token_hash: token, type: 'recovery' as const }
  const { session } = unwrapAuthResponse(await provider.verifyOtp(otpParams))
  if (!session) throw new UserFacingError(setPasswordStrings.sessionMissing)
  return session
}

const tokenOf = async (provider: GoTrueClient): Promise<string | null> =>
  (await provider.getSession()).data.session?.access_token ?? null

/** Returns the current auth session of the link. Rejects with a user-facing message if it has expired. */
export async function currentSessionOf(provider: GoTrueClient): Promise<Session> {
  const { session } = unwrapAuthResponse(await provider.getSession())
  if (!session) throw new UserFacingError(setPasswordStrings.sessionMissing)
  return session
}

/** The name of the organization that the account was invited to last; null without one, or if that cannot be found out. */
export async function fetchInvitation(call: Call): Promise<string | null> {
  const found = await call(membership, {}).catch(() => null)
  return found?.invitations[0]?.organization_name ?? null
}

/** Accepts that invitation. Returns the name of the organization; null if there is none, or if it failed. */
export async function joinInvited({ call, userId, email }: RecoveryAuthSession): Promise<string | null> {
  const { organizations } = await loadCode(() => import('@sallyport/contract/organizations'))
  const joined = await call(organizations.autoJoin, { body: { user_id: userId, email } }).catch(() => null)
  return joined?.organization?.name ?? null
}

/** What a new password puts at risk, and whether a recovery key exists. */
export interface AccountKeyStatus {
  readonly hasKeys: boolean
  readonly hasRecoveryKey: boolean
  /** Null if unknown. */
  readonly fileCount: number | null
}

/** Fetches what is at risk. Rejects if the keys cannot be fetched; a file count that cannot be fetched is null. */
export async function fetchAccountKeyStatus(call: Call): Promise<AccountKeyStatus> {
  const { slots, recovery } = await call(accountKeys.keys, {})
  const listed = await call(files.list, {}).catch(() => null)
  return { hasKeys: slots.length > 0, hasRecoveryKey: recovery !== null, fileCount: listed?.files.length ?? null }
}

/** Dependencies of the key derivation and of the password change. */
export type KeyDerivation = Pick<RecoverAccountDeps, 'deriveSecrets' | 'deriveMasterKey' | 'storage' | 'clock'>

interface SetPasswordInput {
  readonly password: string
  /** Null to recover without it. */
  readonly recoveryKey: string | null
}

/** Sets the new password and unlocks the account with it. */
export async function setPassword(
  keyDerivation: KeyDerivation,
  recovery: RecoveryAuthSession,
  { password, recoveryKey }: SetPasswordInput,
): Promise<RecoveredAccount> {
  const { provider, call, userId, email, phone } = recovery
  await currentSessionOf(provider)
  const { deriveSecrets, deriveMasterKey, storage, clock } = keyDerivation
  const deps: RecoverAccountDeps = {
    call,
    deriveSecrets,
    deriveMasterKey,
    storage,
    clock,
    async changeCredential(credential) {
      unwrapAuthResponse(await provider.updateUser({ password: credential }))
    },
  }
  const input = { userId, identifier: email ? { email } : { phone }, password }
  return recoveryKey === null ? recoverWithoutKey(deps, input) : recoverWithRecoveryKey(deps, { ...input, recoveryKey })
}
