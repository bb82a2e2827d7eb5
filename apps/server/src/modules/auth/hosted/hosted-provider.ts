import { AuthSession, AuthUser } from '@sallyport/contract/auth'
import type { AuthErrorCode } from '@sallyport/contract/auth-errors'
import { ignore } from '@sallyport/contract/ignore'
import * as z from 'zod'
import type { ServerContext } from '../../../context.ts'
import { type Revocation, revokedTopic } from '../../../platform/events/publish.ts'
import { AuthError, authError } from '../protocol/auth-error.ts'
import type { AuthProvider, CreateUserInput } from '../provider.ts'
import { countSignIn } from '../sign-ins/auth-rate-limits.ts'
import type { AuthSessionsStore } from '../sign-ins/auth-sessions.store.ts'
import { isRecentAuthentication } from '../sign-ins/reauthentication.ts'
import { identifierValue } from '../users/new-user.ts'
import { parseIdentifier, validateCredential, validateDerivedSecret } from '../users/user-input.ts'
import type { Identifier } from '../users/users.store.ts'
import { createHostedAccounts } from './hosted-accounts.ts'
import { catchAuthError, createHostedClient } from './hosted-client.ts'
import type { HostedProviderConfig } from './hosted-config.ts'
import type { MirrorStore } from './mirror.store.ts'

interface HostedProviderOptions
  extends HostedProviderConfig,
    Pick<ServerContext, 'rateLimiter' | 'bus' | 'now' | 'strict' | 'recordActivity' | 'securityLog'> {
  readonly mirror: MirrorStore
  /** Both read what the mirror has recorded. */
  readonly lists: Pick<AuthProvider, 'listAuthSessions' | 'listPastSignIns'>
  readonly authSessions: Pick<AuthSessionsStore, 'markAuthenticated' | 'authenticatedAt'>
}

/** The contract's schemas are of zod/mini, which parses alike. */
const User = AuthUser as unknown as z.ZodType<AuthUser>
const Session = AuthSession as unknown as z.ZodType<AuthSession>
const Users = z.object({ users: z.array(User) })
const Link = z.object({ hashed_token: z.string() })
const Anything = z.unknown()
const hourMs = 3_600_000
/** Error codes of a password that was or may have been wrong. */
const guessCodes: ReadonlySet<AuthErrorCode> = new Set(['invalid_credentials', 'validation_failed'])
const passwordPath = '/token?grant_type=password'

/**
 * A hosted auth provider, called with a service key. Its protocol cannot end a single auth session, so ended sessions
 * are recorded in the mirror and rejected by this server.
 */
export function createHostedProvider(options: HostedProviderOptions): AuthProvider {
  const { mirror, rateLimiter, bus, now, strict, lists, authSessions, securityLog } = options
  const call = createHostedClient(options)
  const findAccount = createHostedAccounts({ ...options, call })
  const token = options.serviceKey
  const userPath = (userId: string) => `/admin/users/${encodeURIComponent(userId)}`

  async function end(
    userId: string,
    filter: { only?: string | undefined; except?: string | undefined },
  ): Promise<number> {
    const ended = await mirror.end(userId, filter, now())
    for (const authSessionId of ended)
      bus.publish(revokedTopic, { userId, signInId: authSessionId } satisfies Revocation)
    return ended.length
  }

  async function findBy(input: { email?: string | undefined; phone?: string | undefined }): Promise<AuthUser | null> {
    const identifier = parseIdentifier(input)
    if (!identifier) return null
    const value = identifierValue(identifier)
    const path = `/admin/users?per_page=50&filter=${encodeURIComponent(value)}`
    const { users } = await call(Users, { method: 'GET', path, token })
    return users.find((user) => ('email' in identifier ? user.email : user.phone) === value) ?? null
  }

  async function generateLink(type: 'signup' | 'recovery', body: object) {
    const path = '/admin/generate_link'
    return call(z.intersection(User, Link), { method: 'POST', path, token, body: { type, ...body } })
  }

  async function createRemoteUser(input: CreateUserInput): Promise<AuthUser> {
    const { email, phone, credential, confirmed } = input
    const body = { email, phone, password: credential, email_confirm: confirmed, phone_confirm: confirmed }
    const created = await catchAuthError(
      'email_exists',
      null,
      call(User, { method: 'POST', path: '/admin/users', token, body }),
    )
    if (created) return created
    const existing = await findBy(input)
    if (!existing || existing.confirmed_at !== undefined || !confirmed) throw authError('user_already_exists')
    return call(User, { method: 'PUT', path: userPath(existing.id), token, body })
  }

  /** Counts wrong credentials and errors without a known code, but neither outages nor errors for other reasons. */
  async function checkPassword<Result>(
    { identifier, address }: { readonly identifier: Identifier; readonly address: string },
    request: () => Promise<Result>,
  ): Promise<Result> {
    const release = await countSignIn(rateLimiter, identifier, address).catch((error: unknown) => {
      if (error instanceof AuthError) securityLog.record('sign-in.locked', { address })
      throw error
    })
    try {
      const response = await request()
      await release()
      return response
    } catch (error) {
      if (error instanceof AuthError && guessCodes.has(error.code)) securityLog.record('sign-in.failed', { address })
      else await release()
      throw error
    }
  }

  return {
    findAccount,
    findBy,
    listAuthSessions: lists.listAuthSessions,
    listPastSignIns: lists.listPastSignIns,

    async passwordGrant({ email, phone, credential, origin, sessionLifetime }) {
      const identifier = parseIdentifier({ email, phone })
      if (!identifier) throw authError('validation_failed', { text: 'missing email or phone' })
      if (strict) validateDerivedSecret(credential)
      const { address } = origin
      const credentials = { ...identifier, password: credential }
      const session = await checkPassword({ identifier, address }, () =>
        call(Session, { method: 'POST', path: passwordPath, body: credentials, address, sessionLifetime }),
      )
      await mirror.add(session.user, { now: now() })
      return session
    },

    async reauthenticate({ userId, authSessionId, credential, origin: { address } }) {
      const user = await call(User, { method: 'GET', path: userPath(userId), token })
      const identifier = parseIdentifier({ email: user.email || undefined, phone: user.phone || undefined })
      if (!identifier) throw authError('validation_failed', { text: 'missing email or phone' })
      const body = { ...identifier, password: credential }
      const session = await catchAuthError(
        'invalid_credentials',
        null,
        checkPassword({ identifier, address }, () =>
          call(Session, { method: 'POST', path: passwordPath, body, address }),
        ),
      )
      if (!session) throw authError('current_password_invalid')
      const { access_token } = session
      await call(Anything, { method: 'POST', path: '/logout?scope=local', token: access_token }).catch(
        (error: unknown) => ignore(error, 'the session of a password check ends by itself'),
      )
      await authSessions.markAuthenticated(authSessionId, now())
    },
    isRecentlyAuthenticated: async (authSessionId) =>
      !strict || isRecentAuthentication(await authSessions.authenticatedAt(authSessionId), now()),

    async createUser(input) {
      if (input.credential !== undefined) validateCredential(input.credential, strict)
      const created = await createRemoteUser(input)
      await mirror.add(created, { now: now(), offerId: input.offerId })
      return created
    },

    async createSignUpLink({ email, credential, offerId }) {
      validateCredential(credential, strict)
      const existing = await findBy({ email })
      if (existing?.confirmed_at !== undefined) throw authError('user_already_exists')
      // The provider would otherwise keep the first password of an unconfirmed address.
      if (existing)
        await call(User, { method: 'PUT', path: userPath(existing.id), token, body: { password: credential } })
      const link = await catchAuthError('email_exists', null, generateLink('signup', { email, password: credential }))
      if (!link) throw authError('user_already_exists')
      const { hashed_token: tokenHash, ...user } = link
      await mirror.add(user, { now: now(), offerId })
      return { user, tokenHash }
    },

    async createRecoveryLink(email) {
      const link = await catchAuthError('user_not_found', null, generateLink('recovery', { email }))
      return link?.hashed_token ?? null
    },

    async updateUser(userId, { email, phone, credential, confirmed, userMetadata, appMetadata }) {
      if (credential !== undefined) validateCredential(credential, strict)
      const changed = await call(User, {
        method: 'PUT',
        path: userPath(userId),
        token,
        body: {
          email,
          phone,
          password: credential,
          ...(confirmed !== undefined && { email_confirm: confirmed }),
          user_metadata: userMetadata,
          app_metadata: appMetadata,
        },
      })
      await mirror.add(changed, { now: now() })
      if (credential !== undefined) await end(userId, {})
      return changed
    },

    findUser: (userId) =>
      catchAuthError('user_not_found', null, call(User, { method: 'GET', path: userPath(userId), token })),

    async endAuthSessions(userId, only) {
      await end(userId, { only })
    },
    endOtherAuthSessions: (userId, except) => end(userId, { except }),

    async setBan(userId, until) {
      const hours = until === null ? 0 : Math.max(1, Math.ceil((until - now()) / hourMs))
      const body = { ban_duration: until === null ? 'none' : `${hours}h` }
      await call(Anything, { method: 'PUT', path: userPath(userId), token, body })
      await mirror.setBan(userId, until)
      if (until !== null) await end(userId, {})
    },

    async deleteUser(userId) {
      await catchAuthError(
        'user_not_found',
        null,
        call(Anything, { method: 'DELETE', path: userPath(userId), token, body: {} }),
      )
      await end(userId, {})
      await mirror.remove(userId)
    },
  }
}
