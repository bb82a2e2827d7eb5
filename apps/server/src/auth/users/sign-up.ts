import { randomUUIDv7 } from 'node:crypto'
import type { AuthSession, AuthUser, SignInPolicy } from '@sallyport/contract/auth'
import type { Challenge } from '../one-time/one-time-tokens.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { Named, Origin } from '../provider.ts'
import type { ProviderParts } from '../provider-parts.ts'
import { answerEvenly } from '../sign-ins/even-answer.ts'
import { countAnonymous, countRegistration } from '../sign-ins/sign-in-attempts.ts'
import { nameOf, newUser } from './new-user.ts'
import { checkCredential, printMetadata, readIdentifier } from './newcomers.ts'
import { presentUser } from './present-user.ts'
import { patched } from './registrations.ts'
import type { Identifier } from './users.store.ts'

type Parts = Pick<
  ProviderParts,
  'stores' | 'registrations' | 'messages' | 'signIns' | 'settings' | 'attempts' | 'present' | 'now'
>

type Metadata = Readonly<Record<string, unknown>>

export interface SigningUp extends Named {
  readonly credential: string
  readonly metadata: Metadata
  readonly challenge: Challenge | null
  readonly redirectTo: string | undefined
  readonly policy: SignInPolicy
  readonly origin: Origin
}

/** People who come by themselves, over the provider's own call. */
export function createSignUp(parts: Parts) {
  const { stores, registrations, messages, signIns, settings, attempts, present, now } = parts

  async function startAnonymous({ metadata, policy, origin }: SigningUp): Promise<AuthSession> {
    if (!settings.anonymous) throw refuseAuth('anonymous_provider_disabled')
    await countAnonymous(attempts, origin.address)
    const user = newUser({
      identifier: null,
      confirmed: false,
      passwordHash: null,
      metadata: printMetadata(metadata),
      now: now(),
    })
    await stores.users.add(user)
    return signIns.start(user, { method: 'anonymous', policy, origin })
  }

  /** Writes to the address, whoever has it: a link that confirms it, or word that there is an account already. */
  async function invite(identifier: Identifier, wish: SigningUp): Promise<AuthUser> {
    const { credential, metadata, challenge, redirectTo } = wish
    const to = nameOf(identifier)
    await messages.hold({ requester: wish.origin.address, to })
    const registered = await registrations.register({
      identifier,
      credential,
      metadata,
      challenge,
      address: wish.origin.address,
    })
    if (registered && 'phone' in identifier) await messages.text(to, registered.issued.code)
    else if (registered) await messages.confirmAddress({ to, issued: registered.issued, type: 'email', redirectTo })
    else if ('email' in identifier) await messages.alreadyRegistered(to)
    if (registered && !settings.strict) return present(registered.user)
    return stranger(identifier, metadata, now())
  }

  return {
    async signUp(wish: SigningUp): Promise<AuthSession | AuthUser> {
      const { credential, metadata, policy, origin } = wish
      if (!settings.signUp) throw refuseAuth('signup_disabled')
      const identifier = readIdentifier(wish)
      if (!identifier) return startAnonymous(wish)
      await countRegistration(attempts, origin.address, settings.registrationsPerHour)
      checkCredential(credential, settings.strict)
      const asks = 'email' in identifier ? settings.confirmAddresses : settings.confirmNumbers
      if (asks) return answerEvenly(settings.evenAnswerMs, () => invite(identifier, wish))
      const made = await registrations.create({ ...wish, confirmed: true, address: origin.address }, metadata)
      const user = await patched(stores.users, made.id, {
        user_metadata: verifiedMetadata(made.user_metadata, identifier),
      })
      return signIns.start(user, { method: 'password', policy, origin })
    },
  }
}

/** What everybody is told who registers an address that is to be confirmed: the same for new ones and for taken ones. */
function stranger(identifier: Identifier, metadata: Metadata, now: number): AuthUser {
  const shown = newUser({ identifier, confirmed: false, passwordHash: null, metadata: printMetadata(metadata), now })
  return { ...presentUser({ ...shown, id: randomUUIDv7(), confirmation_sent_at: now }), identities: [] }
}

/** Confirming an address is noted where the protocol's clients look for it. */
export function verifiedMetadata(stored: string, identifier: Identifier): string {
  if ('phone' in identifier) return stored
  return JSON.stringify({ ...JSON.parse(stored), email_verified: true })
}
