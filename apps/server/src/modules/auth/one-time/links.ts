import type { AuthUser } from '@sallyport/contract/auth'
import { authError } from '../protocol/auth-error.ts'
import type { ProviderDeps } from '../provider-deps.ts'
import { isConfirmed } from '../users/new-user.ts'
import { updateUserOrThrow } from '../users/registrations.ts'
import { parseIdentifier, validateCredential } from '../users/user-input.ts'
import type { UserRecord } from '../users/users.store.ts'
import type { TokenKind } from './one-time-tokens.store.ts'
import type { IssuedToken } from './one-time-tokens.ts'

export interface GenerateLinkInput {
  readonly type: string
  readonly email: string | undefined
  readonly newEmail?: string | undefined
  readonly credential?: string | undefined
  readonly metadata: Readonly<Record<string, unknown>>
  readonly redirectTo: string | undefined
}

interface GeneratedLink {
  readonly user: UserRecord
  readonly issued: IssuedToken
  readonly type: string
}

interface GenerateLinkProperties {
  readonly action_link: string
  readonly email_otp: string
  readonly hashed_token: string
  readonly verification_type: string
  readonly redirect_to: string
}

/** Generates links for holders of a service key, who send them themselves, and sends invitations by email. */
export function createLinks(deps: ProviderDeps) {
  const { stores, registrations, oneTimeTokens, messages, settings, issuer, toAuthUser, now } = deps
  const { users } = stores

  async function issue(user: UserRecord, kind: TokenKind, relatesTo: string): Promise<IssuedToken> {
    return oneTimeTokens.issue({ userId: user.id, kind, relatesTo })
  }

  async function signUp(email: string, { credential, metadata }: GenerateLinkInput): Promise<GeneratedLink> {
    if (credential !== undefined) validateCredential(credential, settings.strict)
    const registered = await registrations.register({ identifier: { email }, credential, metadata })
    if (!registered) throw authError('email_exists')
    return { ...registered, type: 'signup' }
  }

  async function invite(email: string, { metadata }: GenerateLinkInput): Promise<GeneratedLink> {
    const registered = await registrations.register({ identifier: { email }, metadata })
    if (!registered) throw authError('email_exists')
    const user = await updateUserOrThrow(users, registered.user.id, { invited_at: now() })
    return { user, issued: await issue(user, 'invitation', email), type: 'invite' }
  }

  async function signIn(email: string, input: GenerateLinkInput): Promise<GeneratedLink> {
    const user = await users.findBy({ email })
    if (!user || !isConfirmed(user, { email })) return signUp(email, { ...input, credential: undefined })
    return { user, issued: await issue(user, 'sign-in', email), type: 'magiclink' }
  }

  async function recovery(email: string): Promise<GeneratedLink> {
    const found = await users.findBy({ email })
    if (!found) throw authError('user_not_found')
    const user = await updateUserOrThrow(users, found.id, { recovery_sent_at: now() })
    return { user, issued: await issue(user, 'recovery', email), type: 'recovery' }
  }

  /** Issues the link for one of the two addresses of an email change, and the token of the other, also required one. */
  async function emailChange(email: string, input: GenerateLinkInput): Promise<GeneratedLink> {
    const found = await users.findBy({ email })
    if (!found) throw authError('user_not_found')
    const next = parseIdentifier({ email: input.newEmail })
    if (!next || !('email' in next)) throw authError('validation_failed', { text: 'A new email address is required' })
    if (await users.findBy(next)) throw authError('email_exists')
    const isCurrent = input.type === 'email_change_current'
    if (found.new_email !== next.email)
      await issue(found, isCurrent ? 'email-change-new' : 'email-change-current', isCurrent ? next.email : email)
    const user = await updateUserOrThrow(users, found.id, { new_email: next.email, email_change_sent_at: now() })
    const issued = await issue(
      user,
      isCurrent ? 'email-change-current' : 'email-change-new',
      isCurrent ? email : next.email,
    )
    return { user, issued, type: 'email_change' }
  }

  const generators: Readonly<Record<string, (email: string, input: GenerateLinkInput) => Promise<GeneratedLink>>> = {
    signup: signUp,
    invite,
    magiclink: signIn,
    recovery,
    email_change_current: emailChange,
    email_change_new: emailChange,
  }

  function readEmail(email: string | undefined): string {
    const identifier = parseIdentifier({ email })
    if (identifier && 'email' in identifier) return identifier.email
    throw authError('validation_failed', { text: 'An email address is required' })
  }

  return {
    async generate(input: GenerateLinkInput): Promise<AuthUser & GenerateLinkProperties> {
      const email = readEmail(input.email)
      const generateLink = generators[input.type]
      if (!generateLink)
        throw authError('validation_failed', { text: `Invalid email action link type requested: ${input.type}` })
      const { user, issued, type } = await generateLink(email, input)
      const redirectTo = messages.sameOriginUrl(input.redirectTo ?? '')
      const query = new URLSearchParams({ token: issued.token, type, redirect_to: redirectTo })
      return {
        ...(await toAuthUser(user)),
        action_link: `${issuer}/verify?${query}`,
        email_otp: issued.code,
        hashed_token: issued.token,
        verification_type: type,
        redirect_to: redirectTo,
      }
    },

    async invite(input: Omit<GenerateLinkInput, 'type'>): Promise<AuthUser> {
      const email = readEmail(input.email)
      const { user, issued } = await invite(email, { ...input, type: 'invite' })
      await messages.confirmEmail({ to: email, issued, type: 'invite', redirectTo: input.redirectTo })
      return toAuthUser(user)
    },
  }
}
