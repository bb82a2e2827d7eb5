import type { ServerContext } from '../../../context.ts'
import { accountWork } from '../../../platform/rate-limit/password-hashing.ts'
import type { IssuedToken, OneTimeTokens, PkceChallenge } from '../one-time/one-time-tokens.ts'
import { authError } from '../protocol/auth-error.ts'
import type { CreateUserInput } from '../provider.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import type { CredentialHashes } from '../sign-ins/credential-hash.ts'
import { identifierValue, isConfirmed, newUser } from './new-user.ts'
import { parseIdentifier, serializeMetadata, validateCredential } from './user-input.ts'
import type { Identifier, UserPatch, UserRecord, UsersStore } from './users.store.ts'

interface RegistrationsDeps extends Pick<ServerContext, 'securityLog'> {
  readonly users: UsersStore
  readonly oneTimeTokens: OneTimeTokens
  readonly hashes: CredentialHashes
  readonly settings: ProviderSettings
  readonly now: () => number
}

type Metadata = Readonly<Record<string, unknown>>

interface RegisterInput {
  readonly identifier: Identifier
  readonly credential?: string | undefined
  readonly metadata?: Metadata
  readonly offerId?: string | undefined
  readonly challenge?: PkceChallenge | null
  readonly address?: string | undefined
}

interface RegisterResult {
  readonly user: UserRecord
  readonly issued: IssuedToken
}

/** Creates users. An unconfirmed address belongs to no one: the user who confirms it sets the password. */
export function createRegistrations(deps: RegistrationsDeps) {
  const { users, oneTimeTokens, hashes, settings, securityLog, now } = deps

  async function addUser(user: UserRecord, offerId: string | undefined, address: string | undefined): Promise<boolean> {
    const isAdded = await users.add(user, offerId)
    if (isAdded) securityLog.record('account.registered', { userId: user.id, address })
    return isAdded
  }

  /** Creates an unconfirmed user and a token that confirms the identifier; returns null when it is taken. */
  async function register({
    identifier,
    credential,
    metadata = {},
    offerId,
    challenge,
    address,
  }: RegisterInput): Promise<RegisterResult | null> {
    const serialized = serializeMetadata(metadata)
    const credentialHash = credential === undefined ? null : await hashes.create(credential, accountWork(address))
    const created = newUser({ identifier, confirmed: false, passwordHash: null, metadata: serialized, now: now() })
    const user = (await addUser(created, offerId, address)) ? created : await users.findBy(identifier)
    if (!user || isTaken(user, identifier)) return null
    const relatesTo = identifierValue(identifier)
    const issueInput = { userId: user.id, kind: 'confirmation', relatesTo, credentialHash, allowEarlier: true } as const
    const issued = await oneTimeTokens.issue({ ...issueInput, challenge: challenge ?? null })
    // What an earlier request said about an address that nobody has confirmed does not count.
    const patch = { confirmation_sent_at: now(), user_metadata: serialized }
    return { user: await updateUserOrThrow(users, user.id, patch), issued }
  }

  return {
    register,

    /** Creates a user without sending a message; a confirmed user takes over an unconfirmed one. */
    async create(
      input: CreateUserInput & { readonly id?: string | undefined },
      metadata: Metadata = {},
    ): Promise<UserRecord> {
      const identifier = parseIdentifier(input)
      if (!identifier) throw authError('validation_failed', { text: 'missing email or phone' })
      const { id, credential, confirmed, offerId, address } = input
      if (credential !== undefined) validateCredential(credential, settings.strict)
      const passwordHash = credential === undefined ? null : await hashes.create(credential, accountWork(address))
      const serialized = serializeMetadata(metadata)
      const emailVerified = settings.confirmEmails
      const created = newUser({
        id,
        identifier,
        confirmed,
        emailVerified,
        passwordHash,
        metadata: serialized,
        now: now(),
      })
      if (await addUser(created, offerId, address)) return created
      const existing = await users.findBy(identifier)
      if (!existing || !confirmed || isTaken(existing, identifier)) throw authError('user_already_exists')
      await oneTimeTokens.removeUnused(existing.id)
      return updateUserOrThrow(users, existing.id, {
        password_hash: passwordHash,
        email_confirmed_at: created.email_confirmed_at,
        email_proven_at: created.email_proven_at,
        phone_confirmed_at: created.phone_confirmed_at,
        user_metadata: created.user_metadata,
        updated_at: now(),
      })
    },
  }
}

/** Whether the address belongs to a user, who may be being deleted. */
const isTaken = (user: UserRecord, identifier: Identifier): boolean =>
  user.deleting_since !== null || isConfirmed(user, identifier)

export type Registrations = ReturnType<typeof createRegistrations>

/** Updates a user; throws when it does not exist or the identifier is taken. */
export async function updateUserOrThrow(users: UsersStore, id: string, patch: UserPatch): Promise<UserRecord> {
  const user = await users.update(id, patch)
  if (user === null) throw authError('user_not_found')
  if (user === 'taken') throw authError(patch.phone ? 'phone_exists' : 'email_exists')
  return user
}
