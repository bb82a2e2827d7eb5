import type { AuthUser, Factor } from '@sallyport/contract/auth'
import { bearerToken } from '../../http/caller.ts'
import type { Factors } from '../factors/factors.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { Named, UserChange } from '../provider.ts'
import type { ProviderParts } from '../provider-parts.ts'
import { isStoredHash } from '../sign-ins/credential-hash.ts'
import { banEnd } from './ban-duration.rules.ts'
import { mergeMetadata, readIdentifier } from './newcomers.ts'
import { presentFactor } from './present-user.ts'
import { patched } from './registrations.ts'
import type { UserPatch, UserRecord } from './users.store.ts'

type Parts = Pick<
  ProviderParts,
  'stores' | 'tokens' | 'registrations' | 'changes' | 'signIns' | 'oneTimeTokens' | 'present' | 'now'
> & { readonly factors: Factors }

/** What an operator's tool says of a user. */
export interface UserFacts extends Named {
  readonly id?: string | undefined
  readonly credential?: string | undefined
  readonly credentialHash?: string | undefined
  readonly emailConfirmed?: boolean | undefined
  readonly phoneConfirmed?: boolean | undefined
  readonly userMetadata?: Readonly<Record<string, unknown>> | undefined
  readonly appMetadata?: Readonly<Record<string, unknown>> | undefined
  readonly banDuration?: string | undefined
}

interface Page {
  readonly page: string | undefined
  readonly perPage: string | undefined
  readonly filter: string | undefined
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const usersPerPage = 50
const mostPerPage = 1000

/** What the holder of a service key may do with users. */
export function createAdministration(parts: Parts) {
  const { stores, tokens, registrations, changes, signIns, oneTimeTokens, factors, present, now } = parts
  const { users } = stores

  async function find(id: string): Promise<UserRecord> {
    if (!uuid.test(id)) throw refuseAuth('validation_failed', { text: 'user_id must be an UUID', status: 404 })
    const user = await users.find(id)
    if (!user) throw refuseAuth('user_not_found')
    return user
  }

  /** What the seam's own change of a user does not know of. */
  function furtherPatch(user: UserRecord, facts: UserFacts): UserPatch {
    const { credentialHash, emailConfirmed, phoneConfirmed, banDuration } = facts
    if (credentialHash !== undefined && !isStoredHash(credentialHash)) {
      throw refuseAuth('validation_failed', { text: 'Only Argon2id hashes in PHC form can be imported' })
    }
    const bannedUntil = banDuration === undefined ? user.banned_until : banEnd(banDuration, now())
    if (bannedUntil === undefined) {
      throw refuseAuth('validation_failed', { text: 'invalid format for ban duration: use 24h, 1h30m or none' })
    }
    return {
      banned_until: bannedUntil,
      ...(credentialHash !== undefined && { password_hash: credentialHash }),
      ...(emailConfirmed && user.email !== null && { email_confirmed_at: user.email_confirmed_at ?? now() }),
      ...(phoneConfirmed && user.phone !== null && { phone_confirmed_at: user.phone_confirmed_at ?? now() }),
    }
  }

  const changeOf = ({ email, phone, credential, userMetadata, appMetadata }: UserFacts): UserChange => ({
    email,
    phone,
    credential,
    userMetadata,
    appMetadata,
  })

  return {
    /** Refused unless the header carries a service key. */
    async requireService(authorization: string | undefined): Promise<void> {
      const token = bearerToken(authorization)
      if (token === null) throw refuseAuth('no_authorization')
      const opens = await tokens.checkServiceKey(token)
      if (opens === null) throw refuseAuth('bad_jwt')
      if (!opens) throw refuseAuth('not_admin')
    },

    async create(facts: UserFacts): Promise<AuthUser> {
      const { email, phone, id, credential } = facts
      const identifier = readIdentifier({ email, phone })
      if (!identifier)
        throw refuseAuth('validation_failed', { text: 'Cannot create a user without either an email or phone' })
      if (id !== undefined && !uuid.test(id)) throw refuseAuth('validation_failed', { text: 'ID must be a valid UUID' })
      const confirmed = ('email' in identifier ? facts.emailConfirmed : facts.phoneConfirmed) ?? false
      const made = await registrations.create({ email, phone, credential, confirmed, id }, facts.userMetadata)
      const appMetadata = facts.appMetadata && { app_metadata: mergeMetadata(made.app_metadata, facts.appMetadata) }
      const both = email && phone ? readIdentifier({ phone }) : null
      const second = both && 'phone' in both ? { phone: both.phone } : {}
      return present(
        await patched(users, made.id, { ...second, ...appMetadata, ...furtherPatch({ ...made, ...second }, facts) }),
      )
    },

    async list({ page = '1', perPage = String(usersPerPage), filter }: Page) {
      const isCount = (text: string): boolean => /^[1-9][0-9]{0,8}$/.test(text)
      if (!isCount(page) || !isCount(perPage))
        throw refuseAuth('validation_failed', { text: 'Bad Pagination Parameters' })
      const limit = Math.min(Number(perPage), mostPerPage)
      const found = await users.list({ limit, offset: (Number(page) - 1) * limit, filter })
      const total = await users.count(filter)
      return {
        users: await Promise.all(found.map(present)),
        total,
        page: Number(page),
        lastPage: Math.max(1, Math.ceil(total / limit)),
        perPage: limit,
      }
    },

    find: async (id: string): Promise<AuthUser> => present(await find(id)),

    async update(id: string, facts: UserFacts): Promise<AuthUser> {
      const before = await find(id)
      furtherPatch(before, facts)
      const changed = await changes.change(id, changeOf(facts))
      const user = await patched(users, id, furtherPatch(changed, facts))
      if (user.banned_until !== null && user.banned_until > now()) await signIns.endAll(id)
      return present(user)
    },

    /** Removes a user; softly, the row stays without anything that names them or lets them in. */
    async remove(id: string, { isSoft }: { readonly isSoft: boolean }): Promise<void> {
      await find(id)
      if (isSoft) {
        const unnamed = { email: null, phone: null, new_email: null, new_phone: null, password_hash: null }
        await patched(users, id, { ...unnamed, user_metadata: '{}', deleted_at: now(), updated_at: now() })
        await oneTimeTokens.dropAll(id)
      } else await users.remove(id)
      await signIns.endAll(id)
    },

    async listFactors(id: string): Promise<Factor[]> {
      return (await stores.factors.list((await find(id)).id)).map(presentFactor)
    },

    async removeFactor(id: string, factorId: string): Promise<Factor> {
      const user = await find(id)
      const factor = await stores.factors.find(user.id, factorId)
      if (!factor) throw refuseAuth('mfa_factor_not_found')
      await factors.remove(user.id, factorId)
      return presentFactor(factor)
    },
  }
}
