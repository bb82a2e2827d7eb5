import type { GoTrueClient } from '@supabase/auth-js'
import { plainDigits } from '#/components/ui/inputs/plain-digits.ts'
import { unwrapAuthResponse } from '#/lib/api/auth-errors.ts'
import { mfaStrings } from '#/strings/account/mfa.ts'

/** Loads the auth provider's client of the current user, before or after the second factor. */
export type LoadProvider = () => Promise<GoTrueClient>

/** A factor that is set up and confirmed. */
export interface VerifiedFactor {
  readonly id: string
  readonly kind: 'totp' | 'phone'
  readonly name: string
  /** Empty for an app. */
  readonly phone: string
  /** Epoch milliseconds. */
  readonly addedAt: number
}

interface ProviderFactor {
  readonly id: string
  readonly factor_type: string
  readonly status: string
  readonly friendly_name?: string
  readonly phone?: string
  readonly created_at: string
}

/** Lists the verified factors of the account, apps first. */
export async function listFactors(provider: LoadProvider): Promise<readonly VerifiedFactor[]> {
  const { all } = unwrapAuthResponse(await (await provider()).mfa.listFactors())
  const verified = (all as readonly ProviderFactor[]).filter(({ status }) => status === 'verified').flatMap(readFactor)
  return verified.sort((left, right) => (left.kind === right.kind ? 0 : left.kind === 'totp' ? -1 : 1))
}

function readFactor({ id, factor_type, friendly_name, phone = '', created_at }: ProviderFactor): VerifiedFactor[] {
  if (factor_type !== 'totp' && factor_type !== 'phone') return []
  const kindName = factor_type === 'totp' ? mfaStrings.appKind : mfaStrings.phoneKind
  return [{ id, kind: factor_type, name: friendly_name || kindName, phone, addedAt: Date.parse(created_at) }]
}

/** Creates a challenge, which sends a text message for a phone. Returns the challenge id that the code is verified against. */
export async function challengeFactor(provider: LoadProvider, factorId: string): Promise<string> {
  return unwrapAuthResponse(await (await provider()).mfa.challenge({ factorId })).id
}

interface FactorVerification {
  readonly factorId: string
  readonly challengeId: string
  readonly code: string
}

/** Verifies a code; on success the auth session is fully authenticated. */
export async function verifyFactor(provider: LoadProvider, proof: FactorVerification): Promise<void> {
  unwrapAuthResponse(await (await provider()).mfa.verify({ ...proof, code: plainDigits(proof.code) }))
}

/** A factor that is not confirmed yet. */
export interface NewFactor {
  readonly id: string
  /** Both null for a phone. */
  readonly qrCode: string | null
  readonly secret: string | null
  readonly address: string | null
}

export async function enrolApp(provider: LoadProvider, name: string): Promise<NewFactor> {
  const client = await provider()
  await removeUnverifiedFactors(client)
  const { id, totp } = unwrapAuthResponse(
    await client.mfa.enroll({ factorType: 'totp', friendlyName: name, issuer: 'Sallyport' }),
  )
  return { id, qrCode: totp.qr_code, secret: totp.secret, address: totp.uri }
}

export async function enrolPhone(provider: LoadProvider, name: string, phone: string): Promise<NewFactor> {
  const client = await provider()
  await removeUnverifiedFactors(client)
  const { id } = unwrapAuthResponse(await client.mfa.enroll({ factorType: 'phone', friendlyName: name, phone }))
  return { id, qrCode: null, secret: null, address: null }
}

/** Removes unverified factors, because an abandoned one would block a new one with the same name. */
async function removeUnverifiedFactors(client: GoTrueClient): Promise<void> {
  const { all } = unwrapAuthResponse(await client.mfa.listFactors())
  for (const { id, status } of all) if (status === 'unverified') await client.mfa.unenroll({ factorId: id })
}

/** Removes a factor and refreshes the token, so that its claims no longer contain it. */
export async function removeFactor(provider: LoadProvider, factorId: string): Promise<void> {
  const client = await provider()
  unwrapAuthResponse(await client.mfa.unenroll({ factorId }))
  unwrapAuthResponse(await client.refreshSession())
}
