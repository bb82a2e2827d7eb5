import { tokenLimits } from '@sallyport/contract/limits'
import { errors, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import type { SigningKeys } from './signing-keys.ts'

interface Parts {
  readonly keys: SigningKeys
  /** The provider's own address. */
  readonly issuer: string
  readonly now: () => number
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
}

const audience = 'authenticated'
const role = 'authenticated'
const clockToleranceSeconds = 30

const Checked = z.object({ sub: z.uuid(), session_id: z.uuid(), role: z.literal(role) })

/** Signs and checks access tokens: ES256 only, by keys of our own only, whatever a token's header may say. */
export function createAccessTokens({ keys, issuer, now }: Parts) {
  return {
    async issue(holder: Holder): Promise<{ token: string; expiresAtSeconds: number }> {
      const issuedAtSeconds = Math.floor(now() / 1000)
      const expiresAtSeconds = issuedAtSeconds + tokenLimits.accessTokenSeconds
      const token = await new SignJWT({ ...holder, role, is_anonymous: false })
        .setProtectedHeader({ alg: 'ES256', kid: keys.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAtSeconds)
        .setExpirationTime(expiresAtSeconds)
        .sign(keys.signing)
      return { token, expiresAtSeconds }
    },
    /** Whose token this is, or null when it is not one of ours or its time is over. */
    async check(token: string): Promise<{ userId: string; signInId: string } | null> {
      const claims = await jwtVerify(token, ({ kid }) => findKey(keys, kid), {
        algorithms: ['ES256'],
        issuer,
        audience,
        requiredClaims: ['exp', 'iat', 'sub'],
        maxTokenAge: tokenLimits.accessTokenSeconds,
        clockTolerance: clockToleranceSeconds,
        currentDate: new Date(now()),
      }).catch((error: unknown) => {
        if (error instanceof errors.JOSEError) return null
        throw error
      })
      const checked = Checked.safeParse(claims?.payload)
      return checked.success ? { userId: checked.data.sub, signInId: checked.data.session_id } : null
    },
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>

function findKey(keys: SigningKeys, kid: string | undefined) {
  const key = kid === undefined ? undefined : keys.checking.get(kid)
  if (!key) throw new errors.JWKSNoMatchingKey()
  return key
}
