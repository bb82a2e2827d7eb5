import type { SecurityNotices } from '../../post/security-notices.ts'
import { accountWork } from '../../resources/password-hashing.ts'
import type { OneTimeTokens } from '../one-time/one-time-tokens.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { UserChange } from '../provider.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import type { CredentialHashes } from '../sign-ins/credential-hash.ts'
import type { SignIns } from '../sign-ins/sign-ins.ts'
import { checkCredential, mergeMetadata, readIdentifier } from './newcomers.ts'
import { patched } from './registrations.ts'
import { applyRename, type Rename } from './rename.ts'
import type { UserPatch, UserRecord, UsersStore } from './users.store.ts'

interface Parts {
  readonly users: UsersStore
  readonly signIns: SignIns
  readonly oneTimeTokens: OneTimeTokens
  readonly hashes: CredentialHashes
  readonly settings: ProviderSettings
  readonly now: () => number
  readonly onRename: Rename
  readonly notices: SecurityNotices
}

/** Changes users on behalf of the server or an operator: nothing is asked and no message goes out. */
export function createUserChanges({ users, signIns, oneTimeTokens, hashes, settings, now, onRename, notices }: Parts) {
  async function patchOf(user: UserRecord, change: UserChange): Promise<UserPatch> {
    const { credential, confirmed, userMetadata, appMetadata } = change
    const email = change.email === undefined ? null : readIdentifier({ email: change.email })
    const phone = change.phone === undefined ? null : readIdentifier({ phone: change.phone })
    if (credential !== undefined) checkCredential(credential, settings.strict)
    const newEmail = email && 'email' in email ? { email: email.email, new_email: null } : {}
    const newPhone = phone && 'phone' in phone ? { phone: phone.phone, new_phone: null } : {}
    const holds = { email: user.email, phone: user.phone, ...newEmail, ...newPhone }
    return {
      ...newEmail,
      ...newPhone,
      ...(newEmail.email !== undefined && newEmail.email !== user.email && { email_proven_at: null }),
      ...(confirmed === true && settings.confirmAddresses && holds.email !== null && { email_proven_at: now() }),
      ...(confirmed === true && holds.email !== null && { email_confirmed_at: user.email_confirmed_at ?? now() }),
      ...(confirmed === true && holds.phone !== null && { phone_confirmed_at: user.phone_confirmed_at ?? now() }),
      ...(credential !== undefined && { password_hash: await hashes.make(credential, accountWork()) }),
      ...(userMetadata && { user_metadata: mergeMetadata(user.user_metadata, userMetadata) }),
      ...(appMetadata && { app_metadata: mergeMetadata(user.app_metadata, appMetadata) }),
      ...((newEmail.email ?? newPhone.phone) !== undefined && { is_anonymous: 0 }),
      updated_at: now(),
    }
  }

  return {
    async change(userId: string, change: UserChange): Promise<UserRecord> {
      const user = await users.find(userId)
      if (!user) throw refuseAuth('user_not_found')
      const changed = await patched(users, userId, await patchOf(user, change))
      await applyRename(user, changed, { onRename, notices })
      if (change.credential !== undefined) {
        await oneTimeTokens.dropAll(userId)
        await signIns.endAll(userId)
      }
      return changed
    },
  }
}

export type UserChanges = ReturnType<typeof createUserChanges>
