import { refuseAuth } from './auth-refusal.ts'
import type { CredentialHashes } from './credential-hash.ts'
import { isConfirmed, newUser } from './new-user.ts'
import { checkCredential, printMetadata, readIdentifier } from './newcomers.ts'
import type { IssuedToken, OneTimeTokens } from './one-time-tokens.ts'
import type { Newcomer } from './provider.ts'
import type { ProviderSettings } from './provider-settings.ts'
import type { Identifier, UserPatch, UserRecord, UsersStore } from './users.store.ts'

interface Parts {
  readonly users: UsersStore
  readonly oneTimeTokens: OneTimeTokens
  readonly hashes: CredentialHashes
  readonly settings: ProviderSettings
  readonly now: () => number
}

type Metadata = Readonly<Record<string, unknown>>

interface Registered {
  readonly user: UserRecord
  readonly issued: IssuedToken
}

/** Makes users. An address that nobody has confirmed belongs to nobody yet: whoever confirms it decides. */
export function createRegistrations({ users, oneTimeTokens, hashes, settings, now }: Parts) {
  /** A user who cannot sign in yet, and what shows that the address or number is theirs; null when it is taken. */
  async function register(
    identifier: Identifier,
    credential: string | undefined,
    metadata: Metadata,
    offerId?: string,
  ): Promise<Registered | null> {
    const printed = printMetadata(metadata)
    const credentialHash = credential === undefined ? null : await hashes.make(credential)
    const made = newUser({ identifier, confirmed: false, passwordHash: null, metadata: printed, now: now() })
    const user = (await users.add(made, offerId)) ? made : await users.findBy(identifier)
    if (!user || isConfirmed(user, identifier)) return null
    const relatesTo = 'email' in identifier ? identifier.email : identifier.phone
    const wish = { userId: user.id, kind: 'confirmation', relatesTo, credentialHash, beside: true } as const
    const issued = await oneTimeTokens.issue(wish)
    const marked = await users.update(user.id, { confirmation_sent_at: now() })
    return { user: marked && marked !== 'taken' ? marked : user, issued }
  }

  return {
    register,

    /** Makes a user at once, without a message; one that nobody has confirmed is taken over by a confirmed one. */
    async create(newcomer: Newcomer, metadata: Metadata = {}): Promise<UserRecord> {
      const identifier = readIdentifier(newcomer)
      if (!identifier) throw refuseAuth('validation_failed', { text: 'missing email or phone' })
      const { credential, confirmed, offerId } = newcomer
      if (credential !== undefined) checkCredential(credential, settings.strict)
      const passwordHash = credential === undefined ? null : await hashes.make(credential)
      const made = newUser({ identifier, confirmed, passwordHash, metadata: printMetadata(metadata), now: now() })
      if (await users.add(made, offerId)) return made
      const present = await users.findBy(identifier)
      if (!present || !confirmed || isConfirmed(present, identifier)) throw refuseAuth('user_already_exists')
      await oneTimeTokens.dropAll(present.id)
      return patched(users, present.id, {
        password_hash: passwordHash,
        email_confirmed_at: made.email_confirmed_at,
        phone_confirmed_at: made.phone_confirmed_at,
        user_metadata: made.user_metadata,
        updated_at: now(),
      })
    },
  }
}

/** Changes a user who is there; refused where there is none or another one holds the address. */
export async function patched(users: UsersStore, id: string, patch: UserPatch): Promise<UserRecord> {
  const user = await users.update(id, patch)
  if (user === null) throw refuseAuth('user_not_found')
  if (user === 'taken') throw refuseAuth(patch.phone ? 'phone_exists' : 'email_exists')
  return user
}
