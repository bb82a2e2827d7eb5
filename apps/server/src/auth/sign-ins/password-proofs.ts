import { signInLimits } from '@sallyport/contract/limits'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { Reauthentication } from '../provider.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import type { Identifier, UsersStore } from '../users/users.store.ts'
import type { CredentialHashes } from './credential-hash.ts'
import type { PasswordGuard } from './password-guard.ts'
import type { SignInsStore } from './sign-ins.store.ts'

interface PasswordProofsDeps {
  readonly users: Pick<UsersStore, 'find'>
  readonly signIns: Pick<SignInsStore, 'provedAt' | 'prove'>
  readonly hashes: Pick<CredentialHashes, 'matches'>
  readonly settings: Pick<ProviderSettings, 'strict'>
  readonly passwordGuard: PasswordGuard
  readonly now: () => number
}

/** True for a proof that is recent enough to change what protects an account. */
export const isFreshProof = (provedAt: number | null, now: number): boolean =>
  provedAt !== null && now - provedAt <= signInLimits.proofMs

/**
 * Whether the owner of an account is at the keyboard: an access token says so for an hour, a password or a code of a
 * second factor only for minutes. Foreign clients, which know no such step, are not asked for it.
 */
export function createPasswordProofs({ users, signIns, hashes, settings, passwordGuard, now }: PasswordProofsDeps) {
  async function hasFreshProof(signInId: string): Promise<boolean> {
    return !settings.strict || isFreshProof(await signIns.provedAt(signInId), now())
  }

  return {
    hasFreshProof,

    async demandFreshProof(signInId: string): Promise<void> {
      if (!(await hasFreshProof(signInId))) {
        throw refuseAuth('reauthentication_needed', { text: 'Confirm your current password first' })
      }
    },

    async reauthenticate({ userId, signInId, credential, origin }: Reauthentication): Promise<void> {
      const user = await users.find(userId)
      if (!user) throw refuseAuth('session_not_found')
      const name: Identifier = user.email === null ? { phone: user.phone ?? '' } : { email: user.email }
      const { address } = origin
      const isRight = await passwordGuard.check({ identifier: name, address, userId }, () =>
        hashes.matches(user.password_hash, credential, { queue: 'sign-in', address, userId }),
      )
      if (!isRight) throw refuseAuth('current_password_invalid')
      await signIns.prove(signInId, now())
    },
  }
}

export type PasswordProofs = ReturnType<typeof createPasswordProofs>
