import { type Call, createCaller } from '@sallyport/client/call'
import { accountKeys } from '@sallyport/contract/account-keys'
import { files } from '@sallyport/contract/files'
import type { GoTrueClient, Session } from '@supabase/auth-js'
import { answerOf } from '#/api/auth-words.ts'
import { SpokenError } from '#/api/failure.ts'
import {
  type StartAgainDeps,
  type StartedAgain,
  startAgainWithoutKey,
  startAgainWithRecoveryKey,
} from '#/keys/start-again.ts'
import { setPasswordWords } from '#/words/set-password.ts'
import { isCode, type RecoveryLink } from './recovery-link.ts'

/** A sign-in by a link out of a mail. It is nowhere but in this page. */
export interface Recovery {
  readonly provider: GoTrueClient
  /** Speaks for the account of the link. */
  readonly call: Call
  readonly userId: string
  readonly email: string
  readonly phone: string
  /** The account was made for somebody who has been invited. */
  readonly isInvited: boolean
  readonly needsSecondFactor: boolean
}

/** Uses the link up. */
export async function openRecovery(provider: GoTrueClient, { token, email }: RecoveryLink): Promise<Recovery> {
  const proof = isCode(token)
    ? { email, token, type: 'recovery' as const }
    : { token_hash: token, type: 'recovery' as const }
  const { session } = answerOf(await provider.verifyOtp(proof))
  if (!session) throw new SpokenError(setPasswordWords.sessionMissing)
  const level = answerOf(await provider.mfa.getAuthenticatorAssuranceLevel())
  const { user } = session
  return {
    provider,
    call: createCaller({ baseUrl: '', fetch: (...request) => fetch(...request), accessToken: () => tokenOf(provider) }),
    userId: user.id,
    email: user.email ?? '',
    phone: user.phone ?? '',
    isInvited: user.invited_at !== undefined,
    needsSecondFactor: level.nextLevel === 'aal2' && level.currentLevel !== 'aal2',
  }
}

const tokenOf = async (provider: GoTrueClient): Promise<string | null> =>
  (await provider.getSession()).data.session?.access_token ?? null

/** The session of the link as it stands now. Fails with words for a person when it is over. */
export async function sessionOf(provider: GoTrueClient): Promise<Session> {
  const { session } = answerOf(await provider.getSession())
  if (!session) throw new SpokenError(setPasswordWords.sessionMissing)
  return session
}

/** What there is to lose, and what there is to save it with. */
export interface Stakes {
  readonly hasKeys: boolean
  readonly hasRecoveryKey: boolean
  /** Null when it cannot be told. */
  readonly fileCount: number | null
}

/** Asks the server. Rejects when the keys cannot be asked for; a count that cannot be had is null. */
export async function readStakes(call: Call): Promise<Stakes> {
  const { slots, recovery } = await call(accountKeys.keys, {})
  const listed = await call(files.list, {}).catch(() => null)
  return { hasKeys: slots.length > 0, hasRecoveryKey: recovery !== null, fileCount: listed?.files.length ?? null }
}

/** What makes keys of a password. */
export type Deriving = Pick<StartAgainDeps, 'deriveSecrets' | 'deriveMasterKey' | 'storage'>

interface NewPassword {
  readonly password: string
  /** Null to go on without it. */
  readonly recoveryKey: string | null
}

/** Sets the new password and opens the account with it. */
export async function setPassword(
  deriving: Deriving,
  recovery: Recovery,
  { password, recoveryKey }: NewPassword,
): Promise<StartedAgain> {
  const { provider, call, userId, email, phone } = recovery
  await sessionOf(provider)
  const { deriveSecrets, deriveMasterKey, storage } = deriving
  const deps: StartAgainDeps = {
    call,
    deriveSecrets,
    deriveMasterKey,
    storage,
    async changeCredential(credential) {
      answerOf(await provider.updateUser({ password: credential }))
    },
  }
  const forgotten = { userId, holder: email ? { email } : { phone }, password }
  return recoveryKey === null
    ? startAgainWithoutKey(deps, forgotten)
    : startAgainWithRecoveryKey(deps, { ...forgotten, recoveryKey })
}
