import type { GoTrueClient } from '@supabase/auth-js'
import { answerOf } from '#/api/auth-words.ts'
import { secondFactorWords } from '#/words/second-factor.ts'

/** The provider's client of whoever is signed in, wholly or half. */
export type LoadProvider = () => Promise<GoTrueClient>

/** A second step that was set up and confirmed. */
export interface StandingFactor {
  readonly id: string
  readonly kind: 'totp' | 'phone'
  readonly name: string
  /** Empty for an app. */
  readonly phone: string
  /** Epoch milliseconds. */
  readonly addedAt: number
}

interface ProvidedFactor {
  readonly id: string
  readonly factor_type: string
  readonly status: string
  readonly friendly_name?: string
  readonly phone?: string
  readonly created_at: string
}

/** The second steps of the account, apps first. */
export async function listFactors(provider: LoadProvider): Promise<readonly StandingFactor[]> {
  const { all } = answerOf(await (await provider()).mfa.listFactors())
  const standing = (all as readonly ProvidedFactor[]).filter(({ status }) => status === 'verified').flatMap(readFactor)
  return standing.sort((left, right) => (left.kind === right.kind ? 0 : left.kind === 'totp' ? -1 : 1))
}

function readFactor({ id, factor_type, friendly_name, phone = '', created_at }: ProvidedFactor): StandingFactor[] {
  if (factor_type !== 'totp' && factor_type !== 'phone') return []
  const kindName = factor_type === 'totp' ? secondFactorWords.appKind : secondFactorWords.phoneKind
  return [{ id, kind: factor_type, name: friendly_name || kindName, phone, addedAt: Date.parse(created_at) }]
}

/** Sends a text message, or opens an app's challenge; gives what the code is to be checked against. */
export async function challengeFactor(provider: LoadProvider, factorId: string): Promise<string> {
  return answerOf(await (await provider()).mfa.challenge({ factorId })).id
}

interface Proof {
  readonly factorId: string
  readonly challengeId: string
  readonly code: string
}

/** Checks a code; from then on the sign-in is a whole one. */
export async function verifyFactor(provider: LoadProvider, proof: Proof): Promise<void> {
  answerOf(await (await provider()).mfa.verify({ ...proof, code: proof.code.replace(/\s/g, '') }))
}

/** A second step that waits for its first code. */
export interface NewFactor {
  readonly id: string
  /** Both null for a phone. */
  readonly picture: string | null
  readonly secret: string | null
  readonly address: string | null
}

export async function enrolApp(provider: LoadProvider, name: string): Promise<NewFactor> {
  const client = await provider()
  await dropUnfinished(client)
  const { id, totp } = answerOf(
    await client.mfa.enroll({ factorType: 'totp', friendlyName: name, issuer: 'Sallyport' }),
  )
  return { id, picture: totp.qr_code, secret: totp.secret, address: totp.uri }
}

export async function enrolPhone(provider: LoadProvider, name: string, phone: string): Promise<NewFactor> {
  const client = await provider()
  await dropUnfinished(client)
  const { id } = answerOf(await client.mfa.enroll({ factorType: 'phone', friendlyName: name, phone }))
  return { id, picture: null, secret: null, address: null }
}

/** What was begun and left would stand in the way of another of the same name. */
async function dropUnfinished(client: GoTrueClient): Promise<void> {
  const { all } = answerOf(await client.mfa.listFactors())
  for (const { id, status } of all) if (status === 'unverified') await client.mfa.unenroll({ factorId: id })
}

/** Removes a second step and takes a new token, which no longer speaks of it. */
export async function removeFactor(provider: LoadProvider, factorId: string): Promise<void> {
  const client = await provider()
  answerOf(await client.mfa.unenroll({ factorId }))
  answerOf(await client.refreshSession())
}
