import { accountWork } from '../../resources/password-hashing.ts'
import type { Challenge, IssuedToken, OneTimeTokens } from '../one-time/one-time-tokens.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { Newcomer } from '../provider.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import type { CredentialHashes } from '../sign-ins/credential-hash.ts'
import { isConfirmed, nameOf, newUser } from './new-user.ts'
import { checkCredential, printMetadata, readIdentifier } from './newcomers.ts'
import type { Identifier, UserPatch, UserRecord, UsersStore } from './users.store.ts'

interface Parts {
  readonly users: UsersStore
  readonly oneTimeTokens: OneTimeTokens
  readonly hashes: CredentialHashes
  readonly settings: ProviderSettings
  readonly now: () => number
}

type Metadata = Readonly<Record<string, unknown>>

interface Wish {
  readonly identifier: Identifier
  readonly credential?: string | undefined
  readonly metadata?: Metadata
  readonly offerId?: string | undefined
  readonly challenge?: Challenge | null
  readonly address?: string | undefined
}

interface Registered {
  readonly user: UserRecord
  readonly issued: IssuedToken
}

/** Makes users. An address that nobody has confirmed belongs to nobody yet: whoever confirms it decides. */
export function createRegistrations({ users, oneTimeTokens, hashes, settings, now }: Parts) {
  /** A user who cannot sign in yet, and what shows that the address or number is theirs; null when it is taken. */
  async function register({
    identifier,
    credential,
    metadata = {},
    offerId,
    challenge,
    address,
  }: Wish): Promise<Registered | null> {
    const printed = printMetadata(metadata)
    const credentialHash = credential === undefined ? null : await hashes.make(credential, accountWork(address))
    const made = newUser({ identifier, confirmed: false, passwordHash: null, metadata: printed, now: now() })
    const user = (await users.add(made, offerId)) ? made : await users.findBy(identifier)
    if (!user || isConfirmed(user, identifier)) return null
    const relatesTo = nameOf(identifier)
    const proof = { userId: user.id, kind: 'confirmation', relatesTo, credentialHash, beside: true } as const
    const issued = await oneTimeTokens.issue({ ...proof, challenge: challenge ?? null })
    return { user: await patched(users, user.id, { confirmation_sent_at: now() }), issued }
  }

  return {
    register,

    /** Makes a user at once, without a message; one that nobody has confirmed is taken over by a confirmed one. */
    async create(
      newcomer: Newcomer & { readonly id?: string | undefined },
      metadata: Metadata = {},
    ): Promise<UserRecord> {
      const identifier = readIdentifier(newcomer)
      if (!identifier) throw refuseAuth('validation_failed', { text: 'missing email or phone' })
      const { id, credential, confirmed, offerId, address } = newcomer
      if (credential !== undefined) checkCredential(credential, settings.strict)
      const passwordHash = credential === undefined ? null : await hashes.make(credential, accountWork(address))
      const printed = printMetadata(metadata)
      const proven = settings.confirmAddresses
      const made = newUser({ id, identifier, confirmed, proven, passwordHash, metadata: printed, now: now() })
      if (await users.add(made, offerId)) return made
      const present = await users.findBy(identifier)
      if (!present || !confirmed || isConfirmed(present, identifier)) throw refuseAuth('user_already_exists')
      await oneTimeTokens.dropAll(present.id)
      return patched(users, present.id, {
        password_hash: passwordHash,
        email_confirmed_at: made.email_confirmed_at,
        email_proven_at: made.email_proven_at,
        phone_confirmed_at: made.phone_confirmed_at,
        user_metadata: made.user_metadata,
        updated_at: now(),
      })
    },
  }
}

export type Registrations = ReturnType<typeof createRegistrations>

/** Changes a user who is there; refused where there is none or another one holds the address. */
export async function patched(users: UsersStore, id: string, patch: UserPatch): Promise<UserRecord> {
  const user = await users.update(id, patch)
  if (user === null) throw refuseAuth('user_not_found')
  if (user === 'taken') throw refuseAuth(patch.phone ? 'phone_exists' : 'email_exists')
  return user
}
