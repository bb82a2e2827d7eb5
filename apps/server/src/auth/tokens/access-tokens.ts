import type { KeyObject } from 'node:crypto'
import { tokenLimits } from '@sallyport/contract/server-limits'
import { errors, type JWTHeaderParameters, type JWTPayload, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import { createKnownTokens } from './known-tokens.ts'
import type { SigningKeys } from './signing-keys.ts'

interface Parts {
  readonly keys: SigningKeys
  /** The provider's own address. */
  readonly issuer: string
  readonly now: () => number
  /** Service keys count whoever issued them, as long as our keys have signed them. Only for foreign clients. */
  readonly foreignServiceKeys: boolean
}

/** What a token says of its holder, beside what every token says. */
export interface Holder {
  readonly sub: string
  readonly session_id: string
  readonly email: string
  readonly phone: string
  readonly aal: string
  readonly amr: readonly unknown[]
  readonly app_metadata: Readonly<Record<string, unknown>>
  readonly user_metadata: Readonly<Record<string, unknown>>
  readonly is_anonymous: boolean
}

interface TokenHolder {
  readonly userId: string
  readonly signInId: string
}

const audience = 'authenticated'
const role = 'authenticated'
const serviceRole = 'service_role'
const serviceRoles: readonly unknown[] = [serviceRole, 'supabase_admin']
const clockToleranceSeconds = 30

const Checked = z.object({
  sub: z.uuid(),
  session_id: z.uuid(),
  role: z.literal(role),
  iat: z.number(),
  exp: z.number(),
})

/** Signs and checks tokens: by our own keys and their one algorithm, whatever a token's header may say. */
export function createAccessTokens({ keys, issuer, now, foreignServiceKeys }: Parts) {
  const header = { alg: keys.algorithm, typ: 'JWT', ...(keys.kid !== null && { kid: keys.kid }) }
  const known = createKnownTokens<TokenHolder>(now)
  const algorithms = keys.shared ? [keys.algorithm, 'HS256'] : [keys.algorithm]

  async function read(token: string, options: JWTVerifyOptions): Promise<JWTPayload | null> {
    const verified = await jwtVerify(token, (found) => findKey(keys, found), {
      algorithms,
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(now()),
      ...options,
    }).catch((error: unknown) => {
      if (error instanceof errors.JOSEError) return null
      throw error
    })
    return verified?.payload ?? null
  }

  return {
    async issue(holder: Holder): Promise<{ token: string; expiresAtSeconds: number }> {
      const issuedAtSeconds = Math.floor(now() / 1000)
      const expiresAtSeconds = issuedAtSeconds + tokenLimits.accessTokenSeconds
      const token = await new SignJWT({ ...holder, role })
        .setProtectedHeader(header)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAtSeconds)
        .setExpirationTime(expiresAtSeconds)
        .sign(keys.signing)
      return { token, expiresAtSeconds }
    },
    /** Whose token this is, or null when it is not one of ours or its time is over. */
    async check(token: string): Promise<TokenHolder | null> {
      const recalled = known.recall(token)
      if (recalled) return recalled
      const claims = await read(token, {
        issuer,
        audience,
        requiredClaims: ['exp', 'iat', 'sub'],
        maxTokenAge: tokenLimits.accessTokenSeconds,
      })
      const checked = Checked.safeParse(claims)
      if (!checked.success) return null
      const { sub, session_id, iat, exp } = checked.data
      const holder = { userId: sub, signInId: session_id }
      known.remember(token, { holder, from: iat, until: Math.min(exp, iat + tokenLimits.accessTokenSeconds) })
      return holder
    },

    /** A key for the provider's admin calls, good for so long. */
    async issueServiceKey(seconds: number): Promise<string> {
      const issuedAtSeconds = Math.floor(now() / 1000)
      return new SignJWT({ role: serviceRole })
        .setProtectedHeader(header)
        .setIssuer(issuer)
        .setIssuedAt(issuedAtSeconds)
        .setExpirationTime(issuedAtSeconds + seconds)
        .sign(keys.signing)
    },
    /** Whether a token opens the admin calls; null when it is not one of ours at all. */
    async checkServiceKey(token: string): Promise<boolean | null> {
      const claims = await read(token, foreignServiceKeys ? {} : { issuer, requiredClaims: ['exp'] })
      return claims && serviceRoles.includes(claims['role'])
    },
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>

function findKey(keys: SigningKeys, { alg, kid }: JWTHeaderParameters): KeyObject {
  const key = alg === 'HS256' ? keys.shared : keys.checking.get(kid ?? '')
  if (!key) throw new errors.JWKSNoMatchingKey()
  return key
}
