import type { AuthUser, Factor } from '@sallyport/contract/auth'
import { noticeAddress } from '../../../platform/email/security-notices.ts'
import { bearerToken } from '../../../platform/http/caller.ts'
import type { Factors } from '../factors/factors.ts'
import { authError } from '../protocol/auth-error.ts'
import type { IdentifierInput, UserChange } from '../provider.ts'
import type { ProviderDeps } from '../provider-deps.ts'
import { isPhcHash } from '../sign-ins/credential-hash.ts'
import { banEnd } from './ban-duration.rules.ts'
import { formatFactor } from './format-user.ts'
import { updateUserOrThrow } from './registrations.ts'
import { mergeMetadata, parseIdentifier } from './user-input.ts'
import type { UserPatch, UserRecord } from './users.store.ts'

/** A user as created or updated through the admin endpoints. */
export interface AdminUserInput extends IdentifierInput {
  readonly id?: string | undefined
  readonly credential?: string | undefined
  readonly credentialHash?: string | undefined
  readonly emailConfirmed?: boolean | undefined
  readonly phoneConfirmed?: boolean | undefined
  readonly userMetadata?: Readonly<Record<string, unknown>> | undefined
  readonly appMetadata?: Readonly<Record<string, unknown>> | undefined
  readonly banDuration?: string | undefined
}

interface ListUsersInput {
  readonly page: string | undefined
  readonly perPage: string | undefined
  readonly filter: string | undefined
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const usersPerPage = 50
const maxUsersPerPage = 1000

/** User administration for holders of a service key. */
export function createAdministration(deps: ProviderDeps & { readonly factors: Factors }) {
  const { stores, tokens, registrations, userChanges, authSessions, oneTimeTokens, factors, toAuthUser, now } = deps
  const { notices, securityLog, beforeRemoval } = deps
  const { users } = stores

  async function find(id: string): Promise<UserRecord> {
    if (!uuid.test(id)) throw authError('validation_failed', { text: 'user_id must be an UUID', status: 404 })
    const user = await users.find(id)
    if (!user) throw authError('user_not_found')
    return user
  }

  /** Returns the columns that only the admin endpoints can change. */
  function adminPatch(user: UserRecord, input: AdminUserInput): UserPatch {
    const { credentialHash, emailConfirmed, phoneConfirmed, banDuration } = input
    if (credentialHash !== undefined && !isPhcHash(credentialHash)) {
      throw authError('validation_failed', { text: 'Only Argon2id hashes in PHC format can be imported' })
    }
    const bannedUntil = banDuration === undefined ? user.banned_until : banEnd(banDuration, now())
    if (bannedUntil === undefined) {
      throw authError('validation_failed', { text: 'invalid format for ban duration: use 24h, 1h30m or none' })
    }
    return {
      banned_until: bannedUntil,
      ...(credentialHash !== undefined && { password_hash: credentialHash }),
      ...(emailConfirmed && user.email !== null && { email_confirmed_at: user.email_confirmed_at ?? now() }),
      ...(phoneConfirmed && user.phone !== null && { phone_confirmed_at: user.phone_confirmed_at ?? now() }),
    }
  }

  const changeOf = ({ email, phone, credential, userMetadata, appMetadata }: AdminUserInput): UserChange => ({
    email,
    phone,
    credential,
    userMetadata,
    appMetadata,
  })

  return {
    /** Throws unless the header contains a service key. */
    async requireServiceKey(authorization: string | undefined): Promise<void> {
      const token = bearerToken(authorization)
      if (token === null) throw authError('no_authorization')
      const isServiceKey = await tokens.verifyServiceKey(token)
      if (isServiceKey === null) throw authError('bad_jwt')
      if (!isServiceKey) throw authError('not_admin')
    },

    async create(input: AdminUserInput): Promise<AuthUser> {
      const { email, phone, id, credential } = input
      const identifier = parseIdentifier({ email, phone })
      if (!identifier)
        throw authError('validation_failed', { text: 'Cannot create a user without either an email or phone' })
      if (id !== undefined && !uuid.test(id)) throw authError('validation_failed', { text: 'ID must be a valid UUID' })
      const confirmed = ('email' in identifier ? input.emailConfirmed : input.phoneConfirmed) ?? false
      const created = await registrations.create({ email, phone, credential, confirmed, id }, input.userMetadata)
      const appMetadata = input.appMetadata && { app_metadata: mergeMetadata(created.app_metadata, input.appMetadata) }
      const phoneIdentifier = email && phone ? parseIdentifier({ phone }) : null
      const phonePatch = phoneIdentifier && 'phone' in phoneIdentifier ? { phone: phoneIdentifier.phone } : {}
      return toAuthUser(
        await updateUserOrThrow(users, created.id, {
          ...phonePatch,
          ...appMetadata,
          ...adminPatch({ ...created, ...phonePatch }, input),
        }),
      )
    },

    async list({ page = '1', perPage = String(usersPerPage), filter }: ListUsersInput) {
      const isPositiveInteger = (text: string): boolean => /^[1-9][0-9]{0,8}$/.test(text)
      if (!isPositiveInteger(page) || !isPositiveInteger(perPage))
        throw authError('validation_failed', { text: 'Bad Pagination Parameters' })
      const limit = Math.min(Number(perPage), maxUsersPerPage)
      const found = await users.list({ limit, offset: (Number(page) - 1) * limit, filter })
      const total = await users.count(filter)
      return {
        users: await Promise.all(found.map(toAuthUser)),
        total,
        page: Number(page),
        lastPage: Math.max(1, Math.ceil(total / limit)),
        perPage: limit,
      }
    },

    find: async (id: string): Promise<AuthUser> => toAuthUser(await find(id)),

    async update(id: string, input: AdminUserInput): Promise<AuthUser> {
      const before = await find(id)
      adminPatch(before, input)
      const changed = await userChanges.change(id, changeOf(input))
      const user = await updateUserOrThrow(users, id, adminPatch(changed, input))
      if (input.credential !== undefined || input.credentialHash !== undefined)
        await notices.send(noticeAddress(user), 'password-set-by-admin')
      const isBanned = user.banned_until !== null && user.banned_until > now()
      if (isBanned) await authSessions.endAll(id)
      if (user.banned_until !== before.banned_until)
        securityLog.record(isBanned ? 'account.banned' : 'account.unbanned', { userId: id })
      return toAuthUser(user)
    },

    /** Deletes a user. A soft delete keeps the row without its identifiers and credentials. */
    async remove(id: string, { isSoft }: { readonly isSoft: boolean }): Promise<void> {
      await find(id)
      if (isSoft) {
        await beforeRemoval(id)
        const withoutIdentifiers = { email: null, phone: null, new_email: null, new_phone: null, password_hash: null }
        await updateUserOrThrow(users, id, {
          ...withoutIdentifiers,
          user_metadata: '{}',
          deleted_at: now(),
          updated_at: now(),
        })
        await oneTimeTokens.removeUnused(id)
      } else await users.remove(id)
      await authSessions.endAll(id)
    },

    async listFactors(id: string): Promise<Factor[]> {
      return (await stores.factors.list((await find(id)).id)).map(formatFactor)
    },

    async removeFactor(id: string, factorId: string): Promise<Factor> {
      const user = await find(id)
      const factor = await stores.factors.find(user.id, factorId)
      if (!factor) throw authError('mfa_factor_not_found')
      await factors.remove(user.id, factorId)
      return formatFactor(factor)
    },
  }
}
