import type { AuthUser } from '@sallyport/contract/auth'
import { messageLimits } from '@sallyport/contract/limits'
import { noticeAddress } from '../../../platform/email/security-notices.ts'
import type { Account } from '../../../platform/http/caller.ts'
import { accountWork } from '../../../platform/rate-limit/password-hashing.ts'
import type { MessageRequestInput } from '../one-time/message-requests.ts'
import { authError } from '../protocol/auth-error.ts'
import type { ProviderDeps } from '../provider-deps.ts'
import { countUserChange } from '../sign-ins/auth-rate-limits.ts'
import { withMinDuration } from '../sign-ins/min-duration.ts'
import { applyIdentifierChange } from './identifier-changes.ts'
import { identifierValue } from './new-user.ts'
import { requireAllowedDomain } from './registration-policy.ts'
import { updateUserOrThrow } from './registrations.ts'
import { mergeMetadata, parseIdentifier, validateCredential } from './user-input.ts'
import type { Identifier, UserPatch, UserRecord } from './users.store.ts'

export interface OwnUserChange extends MessageRequestInput {
  readonly credential: string | undefined
  readonly currentCredential: string | undefined
  readonly nonce: string | undefined
  readonly metadata: Readonly<Record<string, unknown>> | undefined
}

interface IdentifierChangeRequest {
  readonly to: string
  /** Another account uses the identifier. */
  readonly isTaken: boolean
  readonly change: OwnUserChange
}

/**
 * Changes that users make to their own account. Sensitive ones require reauthentication, so that an unattended browser
 * does not suffice to take over the account.
 */
export function createOwnUserChanges(deps: ProviderDeps) {
  const { stores, oneTimeTokens, messages, authSessions, hashes, settings, rateLimiter } = deps
  const { passwordGuard, toAuthUser, onIdentifierChange, notices, securityLog, now } = deps
  const { users } = stores

  /** Throws unless the user enters the current password or an emailed code, or has just signed in by a recovery link. */
  async function requireReauthentication(user: UserRecord, account: Account, change: OwnUserChange): Promise<void> {
    const { nonce, currentCredential, origin } = change
    if (nonce) {
      const to = user.email ?? user.phone ?? ''
      const submitted = { code: nonce, relatesTo: to, kinds: ['reauthentication'], requester: origin.address } as const
      if (await oneTimeTokens.consumeCode(submitted)) return
      throw authError('reauthentication_not_valid')
    }
    const { recoveredAt } = account
    if (recoveredAt !== null && now() - recoveredAt < messageLimits.recoveryLinkMs) return
    if (currentCredential === undefined) {
      if (!settings.strict || user.password_hash === null) return
      throw authError('current_password_required')
    }
    const identifier: Identifier = user.email === null ? { phone: user.phone ?? '' } : { email: user.email }
    const { address } = origin
    const isMatch = await passwordGuard.check({ identifier: identifier, address, userId: user.id }, () =>
      hashes.matches(user.password_hash, currentCredential, accountWork(address, user.id)),
    )
    if (!isMatch) throw authError('current_password_invalid')
  }

  async function credentialPatch(user: UserRecord, { credential, origin }: OwnUserChange): Promise<UserPatch> {
    if (credential === undefined) return {}
    if (user.is_anonymous === 1) {
      throw authError('validation_failed', {
        text: 'Updating password of an anonymous user without an email or phone is not allowed',
        status: 422,
      })
    }
    validateCredential(credential, settings.strict)
    const caller = accountWork(origin.address, user.id)
    if (await hashes.matches(user.password_hash, credential, caller)) throw authError('same_password')
    return { password_hash: await hashes.create(credential, caller) }
  }

  /** Changes an identifier at once if it needs no confirmation; otherwise stores it as pending and sends messages. */
  async function identifierPatch(
    user: UserRecord,
    identifier: Identifier | null,
    change: OwnUserChange,
  ): Promise<UserPatch> {
    if (!identifier) return {}
    const isEmail = 'email' in identifier
    const to = identifierValue(identifier)
    if (to === (isEmail ? user.email : user.phone)) return {}
    if (isEmail) requireAllowedDomain(identifier, settings.emailDomains)
    const isTaken = (await users.findBy(identifier)) !== null
    const mustConfirm = isEmail ? settings.confirmEmails : settings.confirmPhones
    // Where confirmation is required, only an email to its owner reveals that the identifier is taken, not the response.
    if (isTaken && !(mustConfirm && settings.strict)) throw authError(isEmail ? 'email_exists' : 'phone_exists')
    if (mustConfirm) {
      const request = { to, isTaken, change }
      return withMinDuration(settings.minResponseMs, () =>
        isEmail ? requestEmailChange(user, request) : requestPhoneChange(user, request),
      )
    }
    const provider = isEmail ? 'email' : 'phone'
    const anonymousPatch =
      user.is_anonymous === 1
        ? { is_anonymous: 0, app_metadata: JSON.stringify({ provider, providers: [provider] }) }
        : {}
    if (isEmail)
      return { ...anonymousPatch, email: to, email_confirmed_at: now(), email_proven_at: null, new_email: null }
    return { ...anonymousPatch, phone: to, phone_confirmed_at: now(), new_phone: null }
  }

  async function requestEmailChange(
    user: UserRecord,
    { to, isTaken, change }: IdentifierChangeRequest,
  ): Promise<UserPatch> {
    const { challenge, redirectTo } = change
    await messages.reserve({ requester: user.id, to })
    await oneTimeTokens.removeByKind(user.id, ['email-change-current', 'email-change-new'])
    const recipients = [
      { kind: 'email-change-current', to: user.email },
      { kind: 'email-change-new', to },
    ] as const
    for (const recipient of recipients) {
      if (recipient.to === null) continue
      const issueInput = { userId: user.id, kind: recipient.kind, relatesTo: recipient.to, challenge }
      const issued = await oneTimeTokens.issue(issueInput)
      if (isTaken && recipient.to === to) await messages.alreadyRegistered(to)
      else await messages.changeEmail({ to: recipient.to, issued, type: 'email_change', redirectTo })
    }
    return { new_email: to, email_change_sent_at: now() }
  }

  async function requestPhoneChange(user: UserRecord, { to, isTaken }: IdentifierChangeRequest): Promise<UserPatch> {
    await messages.reserve({ requester: user.id, to })
    const { code } = await oneTimeTokens.issue({ userId: user.id, kind: 'phone-change', relatesTo: to })
    if (!isTaken) await messages.text(to, code)
    return { new_phone: to, phone_change_sent_at: now() }
  }

  return {
    async change(account: Account, change: OwnUserChange): Promise<AuthUser> {
      const user = await users.find(account.userId)
      if (!user) throw authError('session_not_found')
      await countUserChange(rateLimiter, user.id)
      const { credential, metadata } = change
      const email = parseIdentifier({ email: change.email })
      const phone = parseIdentifier({ phone: change.phone })
      const isSensitive = email !== null || phone !== null || credential !== undefined
      if (isSensitive && account.mfaPending) throw authError('insufficient_aal')
      if (isSensitive) await requireReauthentication(user, account, change)
      const patch = {
        ...(await credentialPatch(user, change)),
        ...(await identifierPatch(user, email, change)),
        ...(await identifierPatch(user, phone, change)),
        ...(metadata && { user_metadata: mergeMetadata(user.user_metadata, metadata) }),
        updated_at: now(),
      }
      const changed = await updateUserOrThrow(users, user.id, patch)
      await applyIdentifierChange(user, changed, { onRename: onIdentifierChange, notices })
      if (credential !== undefined) await revokeOldPassword(changed, account)
      return toAuthUser(changed)
    },
  }

  /** Ends all other auth sessions and notifies the owner of the new password. */
  async function revokeOldPassword(user: UserRecord, { authSessionId }: Account): Promise<void> {
    await oneTimeTokens.removeUnused(user.id)
    await authSessions.endOthers(user.id, authSessionId)
    securityLog.record('password.changed', { userId: user.id })
    await notices.send(noticeAddress(user), 'password-changed')
  }
}
