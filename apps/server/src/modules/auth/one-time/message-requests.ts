import type { Account } from '../../../platform/http/caller.ts'
import { authError } from '../protocol/auth-error.ts'
import type { IdentifierInput, RequestOrigin } from '../provider.ts'
import type { ProviderDeps } from '../provider-deps.ts'
import { countMessage, countRecovery } from '../sign-ins/auth-rate-limits.ts'
import { withMinDuration } from '../sign-ins/min-duration.ts'
import { identifierValue, isConfirmed } from '../users/new-user.ts'
import { requireAllowedDomain } from '../users/registration-policy.ts'
import { parseIdentifier } from '../users/user-input.ts'
import type { Identifier, UserPatch, UserRecord } from '../users/users.store.ts'
import type { TokenKind } from './one-time-tokens.store.ts'
import type { IssuedToken, PkceChallenge } from './one-time-tokens.ts'

/** A request for a message with a link or a code. */
export interface MessageRequestInput extends IdentifierInput {
  readonly challenge: PkceChallenge | null
  readonly redirectTo: string | undefined
  readonly origin: RequestOrigin
}

interface IssueMessageTokenInput {
  readonly user: UserRecord
  readonly kind: TokenKind
  readonly to: string
  readonly input: MessageRequestInput
}

const sentAtColumns: Readonly<Partial<Record<TokenKind, keyof UserPatch>>> = {
  confirmation: 'confirmation_sent_at',
  'sign-in': 'recovery_sent_at',
  recovery: 'recovery_sent_at',
}

/** Sends messages on request. Neither the response nor its duration reveals whether the identifier is known. */
export function createMessageRequests(deps: ProviderDeps) {
  const { stores, registrations, oneTimeTokens, messages, settings, rateLimiter, now } = deps

  async function reserveMessage(input: MessageRequestInput): Promise<Identifier> {
    const identifier = parseIdentifier(input)
    if (!identifier) throw authError('validation_failed', { text: 'One of email or phone must be set' })
    await countMessage(rateLimiter, input.origin.address)
    await messages.reserve({ requester: input.origin.address, to: identifierValue(identifier) })
    return identifier
  }

  /** Counts recovery emails separately, so that requests for other messages to the address cannot block them. */
  async function reserveRecovery(to: string, requester: string): Promise<void> {
    await countMessage(rateLimiter, requester)
    const release = await messages.reserve({ requester, to, quotaKey: `recovery|${to}` })
    await countRecovery(rateLimiter, to, requester).catch(async (error: unknown) => {
      await release()
      throw error
    })
  }

  async function issue({ user, kind, to, input }: IssueMessageTokenInput): Promise<IssuedToken> {
    const issued = await oneTimeTokens.issue({ userId: user.id, kind, relatesTo: to, challenge: input.challenge })
    const sentAt = sentAtColumns[kind]
    if (sentAt) await stores.users.update(user.id, { [sentAt]: now() })
    return issued
  }

  /** Sends a link or code that signs in a confirmed user, or confirms the identifier of a new one. */
  async function sendSignInMessage(identifier: Identifier, input: MessageRequestInput & OtpInput): Promise<void> {
    const to = identifierValue(identifier)
    const user = await stores.users.findBy(identifier)
    if (user && isConfirmed(user, identifier)) {
      const issued = await issue({ user, kind: 'sign-in', to, input })
      if ('phone' in identifier) return messages.text(to, issued.code)
      return messages.signIn({ to, issued, type: 'magiclink', redirectTo: input.redirectTo })
    }
    if (!user && (!input.createUser || !settings.signUp)) throw authError('otp_disabled')
    if (!user) requireAllowedDomain(identifier, settings.emailDomains)
    const { metadata, challenge } = input
    const registered = await registrations.register({ identifier, metadata, challenge })
    if (!registered) return
    if ('phone' in identifier) return messages.text(to, registered.issued.code)
    await messages.confirmEmail({ to, issued: registered.issued, type: 'email', redirectTo: input.redirectTo })
  }

  /**
   * Sends another link to an unconfirmed address. The link sets the password of the earlier sign-up only if there was
   * exactly one: among several, the owner's choice is unknown.
   */
  async function sendConfirmation(identifier: Identifier, input: MessageRequestInput): Promise<void> {
    const user = await stores.users.findBy(identifier)
    if (!user || isConfirmed(user, identifier)) return
    const to = identifierValue(identifier)
    const pendingHashes = await oneTimeTokens.pendingCredentials(user.id)
    const credentialHash = pendingHashes.length === 1 ? (pendingHashes[0] ?? null) : null
    const issueInput = { userId: user.id, kind: 'confirmation', relatesTo: to, challenge: input.challenge } as const
    const issued = await oneTimeTokens.issue({ ...issueInput, credentialHash, allowEarlier: true })
    await stores.users.update(user.id, { confirmation_sent_at: now() })
    if ('phone' in identifier) return messages.text(to, issued.code)
    await messages.confirmEmail({ to, issued, type: 'email', redirectTo: input.redirectTo })
  }

  /** Resends the message to the new identifier of a pending change. */
  async function resendChange(identifier: Identifier, input: MessageRequestInput): Promise<void> {
    const user = await stores.users.findBy(identifier)
    const to = 'email' in identifier ? user?.new_email : user?.new_phone
    if (!user || !to) return
    if ('phone' in identifier) {
      const { code } = await issue({ user, kind: 'phone-change', to, input })
      if (settings.strict && (await stores.users.findBy({ phone: to }))) return
      return messages.text(to, code)
    }
    const issued = await issue({ user, kind: 'email-change-new', to, input })
    if (settings.strict && (await stores.users.findBy({ email: to }))) return messages.alreadyRegistered(to)
    await messages.changeEmail({ to, issued, type: 'email_change', redirectTo: input.redirectTo })
  }

  const withMinResponseTime = (work: () => Promise<void>): Promise<void> =>
    withMinDuration(settings.minResponseMs, work)

  return {
    /**
     * An emailed code starts a session without keys, which the product does not use: only third-party clients get one.
     */
    async otp(input: MessageRequestInput & OtpInput): Promise<void> {
      if (settings.strict) throw authError('otp_disabled', { text: 'Signing in with an emailed code is disabled' })
      const identifier = await reserveMessage(input)
      await withMinResponseTime(() => sendSignInMessage(identifier, input))
    },

    async recover(input: MessageRequestInput): Promise<void> {
      const identifier = parseIdentifier({ email: input.email })
      if (!identifier) throw authError('validation_failed', { text: 'Password recovery requires an email' })
      const to = identifierValue(identifier)
      await reserveRecovery(to, input.origin.address)
      await withMinResponseTime(async () => {
        const user = await stores.users.findBy(identifier)
        if (!user) return
        const issued = await issue({ user, kind: 'recovery', to, input })
        await messages.recover({ to, issued, type: 'recovery', redirectTo: input.redirectTo })
      })
    },

    async resend(input: MessageRequestInput & { readonly type: string }): Promise<void> {
      const { type } = input
      const requiredField = resendTypes[type]
      if (!requiredField)
        throw authError('validation_failed', {
          text: 'Missing one of these types: signup, email_change, sms, phone_change',
        })
      if (!input[requiredField])
        throw authError('validation_failed', {
          text: `Type provided requires ${requiredField === 'email' ? 'an email address' : 'a phone number'}`,
        })
      const identifier = await reserveMessage({
        ...input,
        email: undefined,
        phone: undefined,
        [requiredField]: input[requiredField],
      })
      const isChange = type.endsWith('_change')
      await withMinResponseTime(() =>
        isChange ? resendChange(identifier, input) : sendConfirmation(identifier, input),
      )
    },

    /** Sends a signed-in user a code that replaces the current password. */
    async reauthenticate({ userId }: Account): Promise<void> {
      const user = await stores.users.find(userId)
      const to = user?.email ?? user?.phone
      if (!user || !to) {
        throw authError('validation_failed', {
          text: 'Reauthentication requires the user to have an email or a phone number',
        })
      }
      await messages.reserve({ requester: userId, to, quotaKey: `reauthentication|${userId}` })
      const { code } = await oneTimeTokens.issue({ userId, kind: 'reauthentication', relatesTo: to })
      await stores.users.update(userId, { reauthentication_sent_at: now() })
      await (user.email === null ? messages.text(to, code) : messages.reauthenticate(to, code))
    },
  }
}

interface OtpInput {
  readonly createUser: boolean
  readonly metadata: Readonly<Record<string, unknown>>
}

const resendTypes: Readonly<Record<string, 'email' | 'phone' | undefined>> = {
  signup: 'email',
  email_change: 'email',
  sms: 'phone',
  phone_change: 'phone',
}
