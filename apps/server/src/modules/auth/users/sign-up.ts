import { randomUUIDv7 } from 'node:crypto'
import type { AuthSession, AuthUser, SessionLifetime } from '@sallyport/contract/auth'
import type { MessageRequestInput } from '../one-time/message-requests.ts'
import { authError } from '../protocol/auth-error.ts'
import type { ProviderDeps } from '../provider-deps.ts'
import { countAnonymous, countRegistration } from '../sign-ins/auth-rate-limits.ts'
import { withMinDuration } from '../sign-ins/min-duration.ts'
import { formatUser } from './format-user.ts'
import { identifierValue, newUser } from './new-user.ts'
import { requireAllowedDomain } from './registration-policy.ts'
import { updateUserOrThrow } from './registrations.ts'
import { parseIdentifier, serializeMetadata, validateCredential } from './user-input.ts'
import type { Identifier } from './users.store.ts'

type Metadata = Readonly<Record<string, unknown>>

export interface SignUpInput extends MessageRequestInput {
  readonly credential: string
  readonly metadata: Metadata
  readonly sessionLifetime: SessionLifetime
}

/** Self-registration through the sign-up endpoint of the auth protocol. */
export function createSignUp(deps: ProviderDeps) {
  const { stores, registrations, messages, authSessions, settings, rateLimiter, toAuthUser, now } = deps

  async function startAnonymous({ metadata, sessionLifetime, origin }: SignUpInput): Promise<AuthSession> {
    if (!settings.anonymous) throw authError('anonymous_provider_disabled')
    await countAnonymous(rateLimiter, origin.address)
    const user = newUser({
      identifier: null,
      confirmed: false,
      passwordHash: null,
      metadata: serializeMetadata(metadata),
      now: now(),
    })
    await stores.users.add(user)
    return authSessions.start(user, { method: 'anonymous', sessionLifetime, origin })
  }

  /** Sends a message to the identifier: a link or code that confirms it, or a notice that the account exists. */
  async function requestConfirmation(identifier: Identifier, input: SignUpInput): Promise<AuthUser> {
    const { credential, metadata, challenge, redirectTo } = input
    const to = identifierValue(identifier)
    await messages.reserve({ requester: input.origin.address, to })
    const registered = await registrations.register({
      identifier,
      credential,
      metadata,
      challenge,
      address: input.origin.address,
    })
    if (registered && 'phone' in identifier) await messages.text(to, registered.issued.code)
    else if (registered) await messages.confirmEmail({ to, issued: registered.issued, type: 'email', redirectTo })
    else if ('email' in identifier) await messages.alreadyRegistered(to)
    if (registered && !settings.strict) return toAuthUser(registered.user)
    return obfuscatedUser(identifier, metadata, now())
  }

  return {
    async signUp(input: SignUpInput): Promise<AuthSession | AuthUser> {
      const { credential, metadata, sessionLifetime, origin } = input
      if (!settings.signUp) throw authError('signup_disabled')
      const identifier = parseIdentifier(input)
      if (!identifier) return startAnonymous(input)
      requireAllowedDomain(identifier, settings.emailDomains)
      await countRegistration(rateLimiter, origin.address, settings.registrationsPerHour)
      validateCredential(credential, settings.strict)
      const mustConfirm = 'email' in identifier ? settings.confirmEmails : settings.confirmPhones
      if (mustConfirm) return withMinDuration(settings.minResponseMs, () => requestConfirmation(identifier, input))
      const created = await registrations.create({ ...input, confirmed: true, address: origin.address }, metadata)
      const user = await updateUserOrThrow(stores.users, created.id, {
        user_metadata: verifiedMetadata(created.user_metadata, identifier),
      })
      return authSessions.start(user, { method: 'password', sessionLifetime, origin })
    },
  }
}

/** Returns an obfuscated user, so that the response is the same for a new and for a taken identifier. */
function obfuscatedUser(identifier: Identifier, metadata: Metadata, now: number): AuthUser {
  const row = newUser({ identifier, confirmed: false, passwordHash: null, metadata: serializeMetadata(metadata), now })
  return { ...formatUser({ ...row, id: randomUUIDv7(), confirmation_sent_at: now }), identities: [] }
}

/** Sets `email_verified` in the metadata, where clients of the protocol expect it. */
export function verifiedMetadata(stored: string, identifier: Identifier): string {
  if ('phone' in identifier) return stored
  return JSON.stringify({ ...JSON.parse(stored), email_verified: true })
}
