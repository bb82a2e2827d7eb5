import { AuthUser } from '@sallyport/contract/auth'
import { tokenLimits } from '@sallyport/contract/server-limits'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import * as z from 'zod'
import type { ServerContext } from '../../../context.ts'
import { type Revocation, revokedTopic } from '../../../platform/events/publish.ts'
import type { Account } from '../../../platform/http/caller.ts'
import { AuthError } from '../protocol/auth-error.ts'
import type { HostedClient } from './hosted-client.ts'
import type { HostedProviderConfig } from './hosted-config.ts'
import type { MirrorStore } from './mirror.store.ts'

interface HostedAccountsDeps
  extends Pick<HostedProviderConfig, 'issuer' | 'jwksUrl' | 'sharedSecret'>,
    Pick<ServerContext, 'bus' | 'now' | 'recordActivity'> {
  readonly call: HostedClient
  readonly mirror: MirrorStore
}

const Claims = z.object({
  sub: z.uuid(),
  session_id: z.uuid(),
  role: z.literal('authenticated'),
  aal: z.string().default('aal1'),
  amr: z.array(z.object({ method: z.string(), timestamp: z.number() })).default([]),
})
type Claims = z.output<typeof Claims>

const emailMethods = ['otp', 'recovery']
const clockToleranceSeconds = 30

/**
 * Finds the account of a hosted provider's token. The signature is verified locally; whether the auth session is still
 * active is requested from the provider at most every five seconds.
 */
export function createHostedAccounts(deps: HostedAccountsDeps) {
  const { call, mirror, issuer, jwksUrl, sharedSecret, bus, now, recordActivity } = deps
  const keys = createRemoteJWKSet(jwksUrl)
  const secret = sharedSecret === undefined ? null : new TextEncoder().encode(sharedSecret)
  const cache = new Map<string, { account: Account; token: string; until: number }>()

  bus.subscribe<Revocation>(revokedTopic, ({ userId, signInId }) => {
    for (const [id, { account }] of cache) {
      if (account.userId === userId && (signInId === undefined || signInId === id)) cache.delete(id)
    }
  })

  async function verifyToken(token: string): Promise<Claims | null> {
    const options = { issuer, audience: 'authenticated', clockTolerance: clockToleranceSeconds }
    const verified = await (secret
      ? jwtVerify(token, secret, { ...options, algorithms: ['HS256'] })
      : jwtVerify(token, keys, { ...options, algorithms: ['ES256', 'RS256'] })
    ).catch((error: unknown): { payload: JWTPayload } | null => {
      if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) throw error
      return null
    })
    return Claims.safeParse(verified?.payload).data ?? null
  }

  async function fetchAccount(token: string, { aal, amr, session_id: authSessionId }: Claims): Promise<Account | null> {
    const user = await call(AuthUser as unknown as z.ZodType<AuthUser>, { method: 'GET', path: '/user', token }).catch(
      (error: unknown) => {
        if (error instanceof AuthError && error.status < 500) return null
        throw error
      },
    )
    if (!user) return null
    const observed = { authSessionId, authenticatedAt: authenticatedAtOf(amr) }
    const { isActive, isNew } = await mirror.recordAuthSession(user, observed, now())
    if (!isActive) return null
    if (isNew) recordActivity(user.id, { action: 'sign-in' })
    const hasFactor = user.factors?.some(({ status }) => status === 'verified') ?? false
    const emailEntry = amr.find(({ method }) => emailMethods.includes(method))
    return {
      userId: user.id,
      authSessionId,
      email: user.email,
      mfaPending: hasFactor && aal === 'aal1',
      recoveredAt: emailEntry ? emailEntry.timestamp * 1000 : null,
    }
  }

  return async function findAccount(token: string): Promise<Account | null> {
    const claims = await verifyToken(token)
    if (!claims) return null
    const cached = cache.get(claims.session_id)
    if (cached && cached.token === token && cached.until > now()) return cached.account
    const account = await fetchAccount(token, claims)
    cache.delete(claims.session_id)
    for (const [id, { until }] of cache) if (until <= now()) cache.delete(id)
    if (account) cache.set(claims.session_id, { account, token, until: now() + tokenLimits.authSessionCacheMs })
    return account
  }
}

/** Returns when a password, a code or a link was last accepted (epoch ms). */
function authenticatedAtOf(amr: Claims['amr']): number | null {
  return amr.length === 0 ? null : Math.max(...amr.map(({ timestamp }) => timestamp)) * 1000
}
