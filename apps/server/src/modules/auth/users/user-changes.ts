import type { ServerContext } from '../../../context.ts'
import { accountWork } from '../../../platform/rate-limit/password-hashing.ts'
import type { OneTimeTokens } from '../one-time/one-time-tokens.ts'
import { authError } from '../protocol/auth-error.ts'
import type { UserChange } from '../provider.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import type { AuthSessions } from '../sign-ins/auth-sessions.ts'
import type { CredentialHashes } from '../sign-ins/credential-hash.ts'
import { applyIdentifierChange, type OnIdentifierChange } from './identifier-changes.ts'
import { updateUserOrThrow } from './registrations.ts'
import { mergeMetadata, parseIdentifier, validateCredential } from './user-input.ts'
import type { UserPatch, UserRecord, UsersStore } from './users.store.ts'

interface UserChangesDeps extends Pick<ServerContext, 'now' | 'notices' | 'securityLog'> {
  readonly users: UsersStore
  readonly authSessions: AuthSessions
  readonly oneTimeTokens: OneTimeTokens
  readonly hashes: CredentialHashes
  readonly settings: ProviderSettings
  readonly onIdentifierChange: OnIdentifierChange
}

/** Updates users on behalf of the server or an operator, without reauthentication and without confirmation messages. */
export function createUserChanges({
  users,
  authSessions,
  oneTimeTokens,
  hashes,
  settings,
  now,
  onIdentifierChange,
  notices,
  securityLog,
}: UserChangesDeps) {
  async function patchOf(user: UserRecord, change: UserChange): Promise<UserPatch> {
    const { credential, confirmed, userMetadata, appMetadata } = change
    const email = change.email === undefined ? null : parseIdentifier({ email: change.email })
    const phone = change.phone === undefined ? null : parseIdentifier({ phone: change.phone })
    if (credential !== undefined) validateCredential(credential, settings.strict)
    const newEmail = email && 'email' in email ? { email: email.email, new_email: null } : {}
    const newPhone = phone && 'phone' in phone ? { phone: phone.phone, new_phone: null } : {}
    const identifiers = { email: user.email, phone: user.phone, ...newEmail, ...newPhone }
    return {
      ...newEmail,
      ...newPhone,
      ...(newEmail.email !== undefined && newEmail.email !== user.email && { email_proven_at: null }),
      ...(confirmed === true && settings.confirmEmails && identifiers.email !== null && { email_proven_at: now() }),
      ...(confirmed === true && identifiers.email !== null && { email_confirmed_at: user.email_confirmed_at ?? now() }),
      ...(confirmed === true && identifiers.phone !== null && { phone_confirmed_at: user.phone_confirmed_at ?? now() }),
      ...(credential !== undefined && { password_hash: await hashes.create(credential, accountWork()) }),
      ...(userMetadata && { user_metadata: mergeMetadata(user.user_metadata, userMetadata) }),
      ...(appMetadata && { app_metadata: mergeMetadata(user.app_metadata, appMetadata) }),
      ...((newEmail.email ?? newPhone.phone) !== undefined && { is_anonymous: 0 }),
      updated_at: now(),
    }
  }

  return {
    async change(userId: string, change: UserChange): Promise<UserRecord> {
      const user = await users.find(userId)
      if (!user) throw authError('user_not_found')
      const changed = await updateUserOrThrow(users, userId, await patchOf(user, change))
      await applyIdentifierChange(user, changed, { onRename: onIdentifierChange, notices })
      if (change.credential !== undefined) {
        await oneTimeTokens.removeUnused(userId)
        await authSessions.endAll(userId)
        securityLog.record('password.changed', { userId })
      }
      return changed
    },
  }
}

export type UserChanges = ReturnType<typeof createUserChanges>
