import type { KeyObject } from 'node:crypto'
import { tokenLimits } from '@sallyport/contract/server-limits'
import { errors, type JWTHeaderParameters, type JWTPayload, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import type { SigningKeys } from './signing-keys.ts'
import { createVerifiedTokenCache } from './verified-token-cache.ts'

interface AccessTokensDeps {
  readonly keys: SigningKeys
  /** The base URL of the provider. */
  readonly issuer: string
  readonly now: () => number
  /** Accepts service keys of any issuer, provided that our keys signed them. Only for third-party clients. */
  readonly allowAnyServiceKeyIssuer: boolean
}

/** The claims about the user and the auth session, in addition to those of every token. */
export interface AccessTokenClaims {
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

interface TokenSubject {
  readonly userId: string
  readonly authSessionId: string
}

const audience = 'authenticated'
const role = 'authenticated'
const serviceRole = 'service_role'
const serviceRoles: readonly unknown[] = [serviceRole, 'supabase_admin']
const clockToleranceSeconds = 30

const VerifiedClaims = z.object({
  sub: z.uuid(),
  session_id: z.uuid(),
  role: z.literal(role),
  iat: z.number(),
  exp: z.number(),
})

/** Signs and verifies tokens with our own keys and their algorithm only, whatever the token's header contains. */
export function createAccessTokens({ keys, issuer, now, allowAnyServiceKeyIssuer }: AccessTokensDeps) {
  const header = { alg: keys.algorithm, typ: 'JWT', ...(keys.kid !== null && { kid: keys.kid }) }
  const verifiedTokens = createVerifiedTokenCache<TokenSubject>(now)
  const algorithms = keys.sharedSecret ? [keys.algorithm, 'HS256'] : [keys.algorithm]

  async function verifyJwt(token: string, options: JWTVerifyOptions): Promise<JWTPayload | null> {
    const verified = await jwtVerify(token, (protectedHeader) => findKey(keys, protectedHeader), {
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
    async issue(claims: AccessTokenClaims): Promise<{ token: string; expiresAtSeconds: number }> {
      const issuedAtSeconds = Math.floor(now() / 1000)
      const expiresAtSeconds = issuedAtSeconds + tokenLimits.accessTokenSeconds
      const token = await new SignJWT({ ...claims, role })
        .setProtectedHeader(header)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAtSeconds)
        .setExpirationTime(expiresAtSeconds)
        .sign(keys.signingKey)
      return { token, expiresAtSeconds }
    },
    /** Returns the user and auth session of a token, or null when it is invalid or expired. */
    async verify(token: string): Promise<TokenSubject | null> {
      const cached = verifiedTokens.get(token)
      if (cached) return cached
      const claims = await verifyJwt(token, {
        issuer,
        audience,
        requiredClaims: ['exp', 'iat', 'sub'],
        maxTokenAge: tokenLimits.accessTokenSeconds,
      })
      const parsed = VerifiedClaims.safeParse(claims)
      if (!parsed.success) return null
      const { sub, session_id, iat, exp } = parsed.data
      const subject = { userId: sub, authSessionId: session_id }
      verifiedTokens.set(token, { subject, from: iat, until: Math.min(exp, iat + tokenLimits.accessTokenSeconds) })
      return subject
    },

    /** Issues a key for the provider's admin endpoints that is valid for this many seconds. */
    async issueServiceKey(seconds: number): Promise<string> {
      const issuedAtSeconds = Math.floor(now() / 1000)
      return new SignJWT({ role: serviceRole })
        .setProtectedHeader(header)
        .setIssuer(issuer)
        .setIssuedAt(issuedAtSeconds)
        .setExpirationTime(issuedAtSeconds + seconds)
        .sign(keys.signingKey)
    },
    /** True when a token is a service key, false when it is another token of ours, null when it is invalid. */
    async verifyServiceKey(token: string): Promise<boolean | null> {
      const claims = await verifyJwt(token, allowAnyServiceKeyIssuer ? {} : { issuer, requiredClaims: ['exp'] })
      return claims && serviceRoles.includes(claims['role'])
    },
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>

function findKey(keys: SigningKeys, { alg, kid }: JWTHeaderParameters): KeyObject {
  const key = alg === 'HS256' ? keys.sharedSecret : keys.verificationKeys.get(kid ?? '')
  if (!key) throw new errors.JWKSNoMatchingKey()
  return key
}
