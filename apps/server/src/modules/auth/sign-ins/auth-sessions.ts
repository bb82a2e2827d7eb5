import { randomUUIDv7 } from 'node:crypto'
import type { AuthSession, AuthUser, SessionLifetime } from '@sallyport/contract/auth'
import { tokenLimits } from '@sallyport/contract/server-limits'
import type { Logger } from 'pino'
import type { ServerContext } from '../../../context.ts'
import { type Revocation, revokedTopic } from '../../../platform/events/publish.ts'
import { hashToken } from '../../../token-hash.ts'
import { authError } from '../protocol/auth-error.ts'
import type { AuthSessionSummary, RequestOrigin } from '../provider.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { UserRecord, UsersStore } from '../users/users.store.ts'
import { authSessionEnd } from './auth-session.rules.ts'
import type { AuthSessionRecord, AuthSessionsStore } from './auth-sessions.store.ts'
import { aalChangedTopic } from './live-auth-sessions.ts'
import { createRefreshToken, createSuccessorSeed, successorOf } from './refresh-tokens.ts'

interface AuthSessionsDeps extends Pick<ServerContext, 'bus' | 'now' | 'recordActivity'> {
  readonly users: UsersStore
  readonly authSessions: AuthSessionsStore
  readonly tokens: AccessTokens
  readonly toAuthUser: (user: UserRecord) => Promise<AuthUser>
  readonly log: Pick<Logger, 'warn'>
}

interface StartAuthSessionInput {
  readonly method: 'password' | 'otp' | 'anonymous'
  readonly sessionLifetime: SessionLifetime
  readonly origin: RequestOrigin
  readonly isRecovery?: boolean
}

interface VerifiedFactor {
  readonly method: 'totp' | 'mfa/phone' | 'backup_code'
  readonly factorId: string | null
}

const maxUserAgentLength = 256

/** Starts, refreshes and ends auth sessions, and publishes revocations on the bus so that caches evict them. */
export function createAuthSessions(deps: AuthSessionsDeps) {
  const { users, authSessions, tokens, toAuthUser, bus, now, recordActivity, log } = deps
  async function issueAuthSession(
    user: UserRecord,
    authSession: AuthSessionRecord,
    refreshToken: string,
  ): Promise<AuthSession> {
    const authUser = await toAuthUser(user)
    const { token, expiresAtSeconds } = await tokens.issue({
      sub: user.id,
      session_id: authSession.id,
      email: authUser.email,
      phone: authUser.phone,
      aal: authSession.aal,
      amr: authSession.amr,
      app_metadata: authUser.app_metadata,
      user_metadata: authUser.user_metadata,
      is_anonymous: authUser.is_anonymous,
    })
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: tokenLimits.accessTokenSeconds,
      expires_at: expiresAtSeconds,
      refresh_token: refreshToken,
      user: authUser,
    }
  }

  const publishRevocation = (revocation: Revocation): void => bus.publish(revokedTopic, revocation)

  return {
    /** Starts a session for a user who has just authenticated by this method. */
    async start(
      user: UserRecord,
      { method, sessionLifetime, origin, isRecovery = false }: StartAuthSessionInput,
    ): Promise<AuthSession> {
      const createdAt = now()
      const authSession: AuthSessionRecord = {
        id: randomUUIDv7(),
        userId: user.id,
        sessionLifetime,
        aal: 'aal1',
        amr: [{ method, timestamp: Math.floor(createdAt / 1000) }],
        userAgent: origin.userAgent?.slice(0, maxUserAgentLength) ?? null,
        createdAt,
        notAfter: authSessionEnd({ sessionLifetime, createdAt }, createdAt),
        factorId: null,
        recoveredAt: isRecovery ? createdAt : null,
        authenticatedAt: method === 'password' || isRecovery || user.password_hash === null ? createdAt : null,
      }
      const refreshToken = createRefreshToken()
      await authSessions.start(authSession, hashToken(refreshToken))
      await users.markActive(user, createdAt)
      recordActivity(user.id, { action: 'sign-in' })
      return issueAuthSession({ ...user, last_sign_in_at: createdAt }, authSession, refreshToken)
    },

    /** Raises a session to AAL2 after its second factor was verified. Its older refresh tokens become invalid. */
    async raiseAal(user: UserRecord, authSessionId: string, factor: VerifiedFactor): Promise<AuthSession> {
      const authSession = await authSessions.findRecord(authSessionId)
      if (!authSession) throw authError('session_not_found')
      const amr = [{ method: factor.method, timestamp: Math.floor(now() / 1000) }, ...authSession.amr]
      const refreshToken = createRefreshToken()
      const aalChange = { id: authSessionId, aal: 'aal2', amr, factorId: factor.factorId }
      const raised = await authSessions.raiseAal(aalChange, hashToken(refreshToken), now())
      if (!raised) throw authError('session_not_found')
      for (const ended of await authSessions.endAal1(user.id)) publishRevocation({ userId: user.id, signInId: ended })
      bus.publish(aalChangedTopic, { userId: user.id } satisfies Revocation)
      return issueAuthSession(user, raised, refreshToken)
    },
    /** Lowers the sessions that used a removed factor; they have to verify another one, if there is any. */
    async lowerAal(userId: string, factorId: string): Promise<void> {
      await authSessions.lowerAal(userId, factorId)
      bus.publish(aalChangedTopic, { userId } satisfies Revocation)
    },
    findRecord: authSessions.findRecord,

    async refresh(refreshToken: string): Promise<AuthSession> {
      const seed = createSuccessorSeed()
      const outcome = await authSessions.refresh({
        tokenHash: hashToken(refreshToken),
        successorHash: hashToken(successorOf(refreshToken, seed)),
        successorSeed: seed,
        now: now(),
      })
      if (outcome.kind === 'unknown') throw authError('refresh_token_not_found')
      if (outcome.kind === 'ended') throw authError('session_expired')
      if (outcome.kind === 'reused') {
        const { id: authSessionId, userId } = outcome.authSession
        log.warn({ event: 'refresh-token.reused', userId }, 'refresh token reused; auth session ended')
        publishRevocation({ userId, signInId: authSessionId })
        throw authError('refresh_token_already_used')
      }
      const { authSession, seeds } = outcome
      const user = await users.find(authSession.userId)
      if (!user) throw authError('refresh_token_not_found')
      requireNotBanned(user, now())
      await users.markActive(user, now())
      return issueAuthSession(user, authSession, seeds.reduce(successorOf, refreshToken))
    },

    async end(userId: string, authSessionId: string): Promise<void> {
      await authSessions.end(userId, authSessionId)
      publishRevocation({ userId, signInId: authSessionId })
    },
    async endAll(userId: string): Promise<void> {
      await authSessions.endAll(userId)
      publishRevocation({ userId })
    },
    /** Returns how many sessions were ended. */
    async endOthers(userId: string, authSessionId: string): Promise<number> {
      const ended = await authSessions.endOthers(userId, authSessionId)
      for (const id of ended) publishRevocation({ userId, signInId: id })
      return ended.length
    },
    list: (userId: string): Promise<AuthSessionSummary[]> => listAuthSessionsOf(authSessions, userId, now()),
  }
}

/** Lists a user's auth sessions, most recently used first. */
export async function listAuthSessionsOf(
  authSessions: Pick<AuthSessionsStore, 'list'>,
  userId: string,
  now: number,
): Promise<AuthSessionSummary[]> {
  const rows = await authSessions.list(userId, now)
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.user_agent ?? '',
    sessionLifetime: row.policy === 'remember' ? 'remember' : 'short',
    createdAt: row.created_at,
    lastUsedAt: row.refreshed_at,
    endsAt: row.not_after,
  }))
}

export type AuthSessions = ReturnType<typeof createAuthSessions>

/** Throws for a user who is banned or being deleted. */
export function requireNotBanned(user: UserRecord, now: number): void {
  if (user.deleting_since !== null) throw authError('user_banned')
  if (user.banned_until !== null && user.banned_until > now) throw authError('user_banned')
}
