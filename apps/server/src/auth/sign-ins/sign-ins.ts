import { randomUUIDv7 } from 'node:crypto'
import type { AuthSession, AuthUser, SignInPolicy } from '@sallyport/contract/auth'
import { tokenLimits } from '@sallyport/contract/server-limits'
import type { Logger } from 'pino'
import type { Bus } from '../../bus/bus.ts'
import { type Revocation, revokedTopic } from '../../live/announce.ts'
import { hashOfToken } from '../../token-hash.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { Origin, SignInSummary } from '../provider.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { UserRecord, UsersStore } from '../users/users.store.ts'
import { reachTopic } from './live-sign-ins.ts'
import { firstRefreshToken, successorOf, successorSeed } from './refresh-tokens.ts'
import { signInEnd } from './sign-in.rules.ts'
import type { SignInRecord, SignInsStore } from './sign-ins.store.ts'

interface Parts {
  readonly users: UsersStore
  readonly signIns: SignInsStore
  readonly tokens: AccessTokens
  readonly present: (user: UserRecord) => Promise<AuthUser>
  readonly bus: Bus
  readonly now: () => number
  readonly log: Pick<Logger, 'warn'>
}

interface Beginning {
  readonly method: 'password' | 'otp' | 'anonymous'
  readonly policy: SignInPolicy
  readonly origin: Origin
  readonly isRecovery?: boolean
}

interface ShownFactor {
  readonly method: 'totp' | 'mfa/phone' | 'backup_code'
  readonly factorId: string | null
}

const longestUserAgent = 256

/** Starts sign-ins, goes on with them and ends them; whoever keeps a copy of one is told over the bus. */
export function createSignIns({ users, signIns, tokens, present, bus, now, log }: Parts) {
  async function presentSession(user: UserRecord, signIn: SignInRecord, refreshToken: string): Promise<AuthSession> {
    const shown = await present(user)
    const { token, expiresAtSeconds } = await tokens.issue({
      sub: user.id,
      session_id: signIn.id,
      email: shown.email,
      phone: shown.phone,
      aal: signIn.aal,
      amr: signIn.amr,
      app_metadata: shown.app_metadata,
      user_metadata: shown.user_metadata,
      is_anonymous: shown.is_anonymous,
    })
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: tokenLimits.accessTokenSeconds,
      expires_at: expiresAtSeconds,
      refresh_token: refreshToken,
      user: shown,
    }
  }

  const tell = (revocation: Revocation): void => bus.publish(revokedTopic, revocation)

  return {
    /** A sign-in of somebody who has just shown, in this way, who they are. */
    async start(user: UserRecord, { method, policy, origin, isRecovery = false }: Beginning): Promise<AuthSession> {
      const createdAt = now()
      const signIn: SignInRecord = {
        id: randomUUIDv7(),
        userId: user.id,
        policy,
        aal: 'aal1',
        amr: [{ method, timestamp: Math.floor(createdAt / 1000) }],
        userAgent: origin.userAgent?.slice(0, longestUserAgent) ?? null,
        createdAt,
        notAfter: signInEnd({ policy, createdAt }, createdAt),
        factorId: null,
        recoveredAt: isRecovery ? createdAt : null,
        provedAt: method === 'password' || isRecovery || user.password_hash === null ? createdAt : null,
      }
      const refreshToken = firstRefreshToken()
      await signIns.start(signIn, hashOfToken(refreshToken))
      return presentSession({ ...user, last_sign_in_at: createdAt }, signIn, refreshToken)
    },

    /** The sign-in has shown its second factor. Its older refresh tokens are good for nothing any more. */
    async raise(user: UserRecord, signInId: string, shown: ShownFactor): Promise<AuthSession> {
      const signIn = await signIns.record(signInId)
      if (!signIn) throw refuseAuth('session_not_found')
      const amr = [{ method: shown.method, timestamp: Math.floor(now() / 1000) }, ...signIn.amr]
      const refreshToken = firstRefreshToken()
      const wish = { id: signInId, aal: 'aal2', amr, factorId: shown.factorId }
      const raised = await signIns.raise(wish, hashOfToken(refreshToken), now())
      if (!raised) throw refuseAuth('session_not_found')
      for (const ended of await signIns.endLesser(user.id)) tell({ userId: user.id, signInId: ended })
      bus.publish(reachTopic, { userId: user.id } satisfies Revocation)
      return presentSession(user, raised, refreshToken)
    },
    /** A second factor is gone; sign-ins that showed it have to show another, if there is one. */
    async lower(userId: string, factorId: string): Promise<void> {
      await signIns.lower(userId, factorId)
      bus.publish(reachTopic, { userId } satisfies Revocation)
    },
    record: signIns.record,

    async refresh(refreshToken: string): Promise<AuthSession> {
      const seed = successorSeed()
      const outcome = await signIns.refresh({
        tokenHash: hashOfToken(refreshToken),
        successorHash: hashOfToken(successorOf(refreshToken, seed)),
        successorSeed: seed,
        now: now(),
      })
      if (outcome.kind === 'unknown') throw refuseAuth('refresh_token_not_found')
      if (outcome.kind === 'ended') throw refuseAuth('session_expired')
      if (outcome.kind === 'reused') {
        const { id: signInId, userId } = outcome.signIn
        log.warn({ event: 'refresh-token.reused', userId }, 'a refresh token was shown again; its sign-in has ended')
        tell({ userId, signInId })
        throw refuseAuth('refresh_token_already_used')
      }
      const { signIn, seeds } = outcome
      const user = await users.find(signIn.userId)
      if (!user) throw refuseAuth('refresh_token_not_found')
      refuseBanned(user, now())
      return presentSession(user, signIn, seeds.reduce(successorOf, refreshToken))
    },

    async end(userId: string, signInId: string): Promise<void> {
      await signIns.end(userId, signInId)
      tell({ userId, signInId })
    },
    async endAll(userId: string): Promise<void> {
      await signIns.endAll(userId)
      tell({ userId })
    },
    /** Answers how many there were. */
    async endOthers(userId: string, signInId: string): Promise<number> {
      const ended = await signIns.endOthers(userId, signInId)
      for (const id of ended) tell({ userId, signInId: id })
      return ended.length
    },
    list: (userId: string): Promise<SignInSummary[]> => listSignInsOf(signIns, userId, now()),
  }
}

/** Where a user is signed in, latest use first. */
export async function listSignInsOf(
  signIns: Pick<SignInsStore, 'list'>,
  userId: string,
  now: number,
): Promise<SignInSummary[]> {
  const rows = await signIns.list(userId, now)
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.user_agent ?? '',
    policy: row.policy === 'remember' ? 'remember' : 'short',
    createdAt: row.created_at,
    lastUsedAt: row.refreshed_at,
    endsAt: row.not_after,
  }))
}

export type SignIns = ReturnType<typeof createSignIns>

export function refuseBanned(user: UserRecord, now: number): void {
  if (user.banned_until !== null && user.banned_until > now) throw refuseAuth('user_banned')
}
