import { AuthUser } from '@sallyport/contract/auth'
import { tokenLimits } from '@sallyport/contract/server-limits'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import * as z from 'zod'
import type { Bus } from '../../bus/bus.ts'
import type { Account } from '../../http/caller.ts'
import { type Revocation, revokedTopic } from '../../live/announce.ts'
import { AuthRefusal } from '../protocol/auth-refusal.ts'
import type { HostedCalls } from './hosted-calls.ts'
import type { MirrorStore } from './mirror.store.ts'

interface Parts {
  readonly call: HostedCalls
  readonly mirror: MirrorStore
  readonly issuer: string
  readonly keysUrl: URL
  /** What signs where tokens are not signed by published keys. */
  readonly sharedSecret: string | undefined
  readonly bus: Bus
  readonly now: () => number
}

const Claims = z.object({
  sub: z.uuid(),
  session_id: z.uuid(),
  role: z.literal('authenticated'),
  aal: z.string().default('aal1'),
  amr: z.array(z.object({ method: z.string(), timestamp: z.number() })).default([]),
})
type Claims = z.output<typeof Claims>

const byMail = ['otp', 'recovery']
const clockToleranceSeconds = 30

/**
 * Who a token of a provider elsewhere belongs to. Its signature is checked here; whether the sign-in still lasts only
 * the provider knows, and it is asked every five seconds.
 */
export function createHostedAccounts({ call, mirror, issuer, keysUrl, sharedSecret, bus, now }: Parts) {
  const keys = createRemoteJWKSet(keysUrl)
  const secret = sharedSecret === undefined ? null : new TextEncoder().encode(sharedSecret)
  const remembered = new Map<string, { account: Account; token: string; until: number }>()

  bus.subscribe<Revocation>(revokedTopic, ({ userId, signInId }) => {
    for (const [id, { account }] of remembered) {
      if (account.userId === userId && (signInId === undefined || signInId === id)) remembered.delete(id)
    }
  })

  async function read(token: string): Promise<Claims | null> {
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

  async function ask(token: string, { aal, amr, session_id: signInId }: Claims): Promise<Account | null> {
    const user = await call(AuthUser as unknown as z.ZodType<AuthUser>, { method: 'GET', path: '/user', token }).catch(
      (error: unknown) => {
        if (error instanceof AuthRefusal && error.status < 500) return null
        throw error
      },
    )
    if (!user || !(await mirror.see(user, { signInId, provedAt: provedAtOf(amr) }, now()))) return null
    const hasFactor = user.factors?.some(({ status }) => status === 'verified') ?? false
    const mailed = amr.find(({ method }) => byMail.includes(method))
    return {
      userId: user.id,
      signInId,
      email: user.email,
      secondFactorPending: hasFactor && aal === 'aal1',
      recoveredAt: mailed ? mailed.timestamp * 1000 : null,
    }
  }

  return async function findAccount(token: string): Promise<Account | null> {
    const claims = await read(token)
    if (!claims) return null
    const known = remembered.get(claims.session_id)
    if (known && known.token === token && known.until > now()) return known.account
    const account = await ask(token, claims)
    remembered.delete(claims.session_id)
    for (const [id, { until }] of remembered) if (until <= now()) remembered.delete(id)
    if (account) remembered.set(claims.session_id, { account, token, until: now() + tokenLimits.signInCacheMs })
    return account
  }
}

/** The latest time that a password, a code or a link was shown (epoch ms). */
function provedAtOf(amr: Claims['amr']): number | null {
  return amr.length === 0 ? null : Math.max(...amr.map(({ timestamp }) => timestamp)) * 1000
}
