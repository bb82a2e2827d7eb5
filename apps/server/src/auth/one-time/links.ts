import type { AuthUser } from '@sallyport/contract/auth'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { ProviderParts } from '../provider-parts.ts'
import { isConfirmed } from '../users/new-user.ts'
import { checkCredential, readIdentifier } from '../users/newcomers.ts'
import { patched } from '../users/registrations.ts'
import type { UserRecord } from '../users/users.store.ts'
import type { TokenKind } from './one-time-tokens.store.ts'
import type { IssuedToken } from './one-time-tokens.ts'

type Parts = Pick<
  ProviderParts,
  'stores' | 'registrations' | 'oneTimeTokens' | 'messages' | 'settings' | 'issuer' | 'present' | 'now'
>

export interface LinkWish {
  readonly type: string
  readonly email: string | undefined
  readonly newEmail: string | undefined
  readonly credential: string | undefined
  readonly metadata: Readonly<Record<string, unknown>>
  readonly redirectTo: string | undefined
}

interface Made {
  readonly user: UserRecord
  readonly issued: IssuedToken
  readonly type: string
}

interface LinkFacts {
  readonly action_link: string
  readonly email_otp: string
  readonly hashed_token: string
  readonly verification_type: string
  readonly redirect_to: string
}

/** Links for the holder of a service key, who mails them in their own words, and invitations that are mailed in ours. */
export function createLinks(parts: Parts) {
  const { stores, registrations, oneTimeTokens, messages, settings, issuer, present, now } = parts
  const { users } = stores

  async function issue(user: UserRecord, kind: TokenKind, relatesTo: string): Promise<IssuedToken> {
    return oneTimeTokens.issue({ userId: user.id, kind, relatesTo })
  }

  async function signUp(email: string, { credential, metadata }: LinkWish): Promise<Made> {
    if (credential !== undefined) checkCredential(credential, settings.strict)
    const registered = await registrations.register({ identifier: { email }, credential, metadata })
    if (!registered) throw refuseAuth('email_exists')
    return { ...registered, type: 'signup' }
  }

  async function invite(email: string, { metadata }: LinkWish): Promise<Made> {
    const registered = await registrations.register({ identifier: { email }, metadata })
    if (!registered) throw refuseAuth('email_exists')
    const user = await patched(users, registered.user.id, { invited_at: now() })
    return { user, issued: await issue(user, 'invitation', email), type: 'invite' }
  }

  async function signIn(email: string, wish: LinkWish): Promise<Made> {
    const user = await users.findBy({ email })
    if (!user || !isConfirmed(user, { email })) return signUp(email, { ...wish, credential: undefined })
    return { user, issued: await issue(user, 'sign-in', email), type: 'magiclink' }
  }

  async function recovery(email: string): Promise<Made> {
    const found = await users.findBy({ email })
    if (!found) throw refuseAuth('user_not_found')
    const user = await patched(users, found.id, { recovery_sent_at: now() })
    return { user, issued: await issue(user, 'recovery', email), type: 'recovery' }
  }

  /** One half of a change of address; the other half has to be shown too, and so it is begun as well. */
  async function emailChange(email: string, wish: LinkWish): Promise<Made> {
    const found = await users.findBy({ email })
    if (!found) throw refuseAuth('user_not_found')
    const next = readIdentifier({ email: wish.newEmail })
    if (!next || !('email' in next)) throw refuseAuth('validation_failed', { text: 'A new email address is required' })
    if (await users.findBy(next)) throw refuseAuth('email_exists')
    const isCurrent = wish.type === 'email_change_current'
    if (found.new_email !== next.email)
      await issue(found, isCurrent ? 'email-change-new' : 'email-change-current', isCurrent ? next.email : email)
    const user = await patched(users, found.id, { new_email: next.email, email_change_sent_at: now() })
    const issued = await issue(
      user,
      isCurrent ? 'email-change-current' : 'email-change-new',
      isCurrent ? email : next.email,
    )
    return { user, issued, type: 'email_change' }
  }

  const makers: Readonly<Record<string, (email: string, wish: LinkWish) => Promise<Made>>> = {
    signup: signUp,
    invite,
    magiclink: signIn,
    recovery,
    email_change_current: emailChange,
    email_change_new: emailChange,
  }

  function readEmail(email: string | undefined): string {
    const identifier = readIdentifier({ email })
    if (identifier && 'email' in identifier) return identifier.email
    throw refuseAuth('validation_failed', { text: 'An email address is required' })
  }

  return {
    async generate(wish: LinkWish): Promise<AuthUser & LinkFacts> {
      const email = readEmail(wish.email)
      const make = makers[wish.type]
      if (!make)
        throw refuseAuth('validation_failed', { text: `Invalid email action link type requested: ${wish.type}` })
      const { user, issued, type } = await make(email, wish)
      const redirectTo = messages.ownAddress(wish.redirectTo ?? '')
      const query = new URLSearchParams({ token: issued.token, type, redirect_to: redirectTo })
      return {
        ...(await present(user)),
        action_link: `${issuer}/verify?${query}`,
        email_otp: issued.code,
        hashed_token: issued.token,
        verification_type: type,
        redirect_to: redirectTo,
      }
    },

    async invite(wish: Omit<LinkWish, 'type'>): Promise<AuthUser> {
      const email = readEmail(wish.email)
      const { user, issued } = await invite(email, { ...wish, type: 'invite' })
      await messages.confirmAddress({ to: email, issued, type: 'invite', redirectTo: wish.redirectTo })
      return present(user)
    },
  }
}
