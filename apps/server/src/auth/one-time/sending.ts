import type { Account } from '../../http/caller.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { Named, Origin } from '../provider.ts'
import type { ProviderParts } from '../provider-parts.ts'
import { answerEvenly } from '../sign-ins/even-answer.ts'
import { countMessage, countRecovery } from '../sign-ins/sign-in-attempts.ts'
import { isConfirmed, nameOf } from '../users/new-user.ts'
import { readIdentifier } from '../users/newcomers.ts'
import type { Identifier, UserPatch, UserRecord } from '../users/users.store.ts'
import type { TokenKind } from './one-time-tokens.store.ts'
import type { Challenge, IssuedToken } from './one-time-tokens.ts'

type Parts = Pick<
  ProviderParts,
  'stores' | 'registrations' | 'oneTimeTokens' | 'messages' | 'settings' | 'attempts' | 'now'
>

interface Wish extends Named {
  readonly challenge: Challenge | null
  readonly redirectTo: string | undefined
  readonly origin: Origin
}

interface Proof {
  readonly user: UserRecord
  readonly kind: TokenKind
  readonly to: string
  readonly wish: Wish
}

const sentTimes: Readonly<Partial<Record<TokenKind, keyof UserPatch>>> = {
  confirmation: 'confirmation_sent_at',
  'sign-in': 'recovery_sent_at',
  recovery: 'recovery_sent_at',
}

/** Messages that people ask for. Whether anybody has the address, neither the answer nor its time tells. */
export function createSending(parts: Parts) {
  const { stores, registrations, oneTimeTokens, messages, settings, attempts, now } = parts

  async function named(wish: Wish): Promise<Identifier> {
    const identifier = readIdentifier(wish)
    if (!identifier) throw refuseAuth('validation_failed', { text: 'One of email or phone must be set' })
    await countMessage(attempts, wish.origin.address)
    await messages.hold({ requester: wish.origin.address, to: nameOf(identifier) })
    return identifier
  }

  /** Recovery mails are counted by themselves, so that requests for other messages to the address hold none of them up. */
  async function holdRecovery(to: string, requester: string): Promise<void> {
    await countMessage(attempts, requester)
    const release = await messages.hold({ requester, to, counted: `recovery|${to}` })
    await countRecovery(attempts, to, requester).catch(async (error: unknown) => {
      await release()
      throw error
    })
  }

  async function issue({ user, kind, to, wish }: Proof): Promise<IssuedToken> {
    const issued = await oneTimeTokens.issue({ userId: user.id, kind, relatesTo: to, challenge: wish.challenge })
    const sentAt = sentTimes[kind]
    if (sentAt) await stores.users.update(user.id, { [sentAt]: now() })
    return issued
  }

  /** A link that signs in somebody who is known, and confirms the address of somebody who is not yet. */
  async function sendSignIn(identifier: Identifier, wish: Wish & SignInWish): Promise<void> {
    const to = nameOf(identifier)
    const user = await stores.users.findBy(identifier)
    if (user && isConfirmed(user, identifier)) {
      const issued = await issue({ user, kind: 'sign-in', to, wish })
      if ('phone' in identifier) return messages.text(to, issued.code)
      return messages.signIn({ to, issued, type: 'magiclink', redirectTo: wish.redirectTo })
    }
    if (!user && (!wish.createUser || !settings.signUp)) throw refuseAuth('otp_disabled')
    const { metadata, challenge } = wish
    const registered = await registrations.register({ identifier, metadata, challenge })
    if (!registered) return
    if ('phone' in identifier) return messages.text(to, registered.issued.code)
    await messages.confirmAddress({ to, issued: registered.issued, type: 'email', redirectTo: wish.redirectTo })
  }

  /**
   * Another link for an address that is not confirmed yet. It sets the password that was chosen with the first one only
   * when there was one: among several nobody could tell which of them the holder of the address has chosen.
   */
  async function sendConfirmation(identifier: Identifier, wish: Wish): Promise<void> {
    const user = await stores.users.findBy(identifier)
    if (!user || isConfirmed(user, identifier)) return
    const to = nameOf(identifier)
    const chosen = await oneTimeTokens.pendingCredentials(user.id)
    const credentialHash = chosen.length === 1 ? (chosen[0] ?? null) : null
    const proof = { userId: user.id, kind: 'confirmation', relatesTo: to, challenge: wish.challenge } as const
    const issued = await oneTimeTokens.issue({ ...proof, credentialHash, beside: true })
    await stores.users.update(user.id, { confirmation_sent_at: now() })
    if ('phone' in identifier) return messages.text(to, issued.code)
    await messages.confirmAddress({ to, issued, type: 'email', redirectTo: wish.redirectTo })
  }

  /** The second half of a change that was begun: once more to whoever has not answered yet. */
  async function sendChange(identifier: Identifier, wish: Wish): Promise<void> {
    const user = await stores.users.findBy(identifier)
    const to = 'email' in identifier ? user?.new_email : user?.new_phone
    if (!user || !to) return
    if ('phone' in identifier) {
      const { code } = await issue({ user, kind: 'phone-change', to, wish })
      if (settings.strict && (await stores.users.findBy({ phone: to }))) return
      return messages.text(to, code)
    }
    const issued = await issue({ user, kind: 'email-change-new', to, wish })
    if (settings.strict && (await stores.users.findBy({ email: to }))) return messages.alreadyRegistered(to)
    await messages.changeAddress({ to, issued, type: 'email_change', redirectTo: wish.redirectTo })
  }

  const evenly = (work: () => Promise<void>): Promise<void> => answerEvenly(settings.evenAnswerMs, work)

  return {
    /** A mailed code opens a session without keys, which the product has no use for: only foreign clients get one. */
    async otp(wish: Wish & SignInWish): Promise<void> {
      if (settings.strict) throw refuseAuth('otp_disabled', { text: 'Signing in with a mailed code is disabled' })
      const identifier = await named(wish)
      await evenly(() => sendSignIn(identifier, wish))
    },

    async recover(wish: Wish): Promise<void> {
      const identifier = readIdentifier({ email: wish.email })
      if (!identifier) throw refuseAuth('validation_failed', { text: 'Password recovery requires an email' })
      const to = nameOf(identifier)
      await holdRecovery(to, wish.origin.address)
      await evenly(async () => {
        const user = await stores.users.findBy(identifier)
        if (!user) return
        const issued = await issue({ user, kind: 'recovery', to, wish })
        await messages.recover({ to, issued, type: 'recovery', redirectTo: wish.redirectTo })
      })
    },

    async resend(wish: Wish & { readonly type: string }): Promise<void> {
      const { type } = wish
      const wants = resendTypes[type]
      if (!wants)
        throw refuseAuth('validation_failed', {
          text: 'Missing one of these types: signup, email_change, sms, phone_change',
        })
      if (!wish[wants])
        throw refuseAuth('validation_failed', {
          text: `Type provided requires ${wants === 'email' ? 'an email address' : 'a phone number'}`,
        })
      const identifier = await named({ ...wish, email: undefined, phone: undefined, [wants]: wish[wants] })
      const isChange = type.endsWith('_change')
      await evenly(() => (isChange ? sendChange(identifier, wish) : sendConfirmation(identifier, wish)))
    },

    /** A code that stands in for the present password of somebody who is signed in. */
    async reauthenticate({ userId }: Account): Promise<void> {
      const user = await stores.users.find(userId)
      const to = user?.email ?? user?.phone
      if (!user || !to) {
        throw refuseAuth('validation_failed', {
          text: 'Reauthentication requires the user to have an email or a phone number',
        })
      }
      await messages.hold({ requester: userId, to, counted: `reauthentication|${userId}` })
      const { code } = await oneTimeTokens.issue({ userId, kind: 'reauthentication', relatesTo: to })
      await stores.users.update(userId, { reauthentication_sent_at: now() })
      await (user.email === null ? messages.text(to, code) : messages.reauthenticate(to, code))
    },
  }
}

interface SignInWish {
  readonly createUser: boolean
  readonly metadata: Readonly<Record<string, unknown>>
}

const resendTypes: Readonly<Record<string, 'email' | 'phone' | undefined>> = {
  signup: 'email',
  email_change: 'email',
  sms: 'phone',
  phone_change: 'phone',
}
