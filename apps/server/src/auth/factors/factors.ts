import { randomUUIDv7 } from 'node:crypto'
import type { AuthSession } from '@sallyport/contract/auth'
import { secondFactorLimits } from '@sallyport/contract/limits'
import type { Account } from '../../http/caller.ts'
import { noticeAddress } from '../../post/security-notices.ts'
import { sixDigits } from '../one-time/one-time-tokens.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { ProviderParts } from '../provider-parts.ts'
import { countChallenge } from '../sign-ins/sign-in-attempts.ts'
import { readIdentifier } from '../users/newcomers.ts'
import type { UserRecord } from '../users/users.store.ts'
import type { FactorRecord, FactorType } from './factors.store.ts'
import { newAppSecret, stepOf } from './one-time-passwords.ts'

type Parts = Pick<
  ProviderParts,
  | 'stores'
  | 'secret'
  | 'messages'
  | 'signIns'
  | 'settings'
  | 'attempts'
  | 'publicUrl'
  | 'notices'
  | 'secondFactorGuard'
  | 'proofs'
  | 'now'
>

export interface Enrolment {
  readonly type: string | undefined
  readonly friendlyName: string | undefined
  readonly issuer: string | undefined
  readonly phone: string | undefined
}

/** What an enrolment is answered with; the secret is shown this once. */
export interface Enrolled {
  readonly id: string
  readonly type: FactorType
  readonly friendly_name?: string
  readonly phone?: string
  readonly totp?: { readonly qr_code: string; readonly secret: string; readonly uri: string }
}

export interface Challenged {
  readonly id: string
  readonly type: FactorType
  /** Epoch seconds. */
  readonly expires_at: number
}

/** Second factors of the embedded provider: apps that make codes, and numbers that codes are sent to. */
export function createFactors(parts: Parts) {
  const { stores, secret, messages, signIns, settings, attempts, publicUrl, notices, now } = parts
  const { secondFactorGuard, proofs } = parts
  const { factors, users } = stores

  async function holderOf({ userId }: Account): Promise<UserRecord> {
    const user = await users.find(userId)
    if (!user) throw refuseAuth('session_not_found')
    return user
  }

  async function find(account: Account, id: string): Promise<FactorRecord> {
    const factor = await factors.find(account.userId, id)
    if (!factor) throw refuseAuth('mfa_factor_not_found')
    return factor
  }

  function readType(type: string | undefined): FactorType {
    if (type !== 'totp' && type !== 'phone' && type !== 'webauthn') {
      throw refuseAuth('validation_failed', { text: 'factor_type needs to be totp, phone, or webauthn' })
    }
    if (settings.factorTypes.includes(type)) return type
    throw refuseAuth(type === 'phone' ? 'mfa_phone_enroll_not_enabled' : 'mfa_webauthn_enroll_not_enabled')
  }

  /** Refuses what would clash with a factor that is there; what was begun long ago or begun anew is dropped. */
  async function makeRoom(userId: string, name: string | null, phone: string | null): Promise<void> {
    await factors.removeUnverified(userId, now() - secondFactorLimits.unverifiedFactorMs)
    const present = await factors.list(userId)
    if (present.length >= secondFactorLimits.factorsPerAccount) throw refuseAuth('too_many_enrolled_mfa_factors')
    if (name !== null && present.some((factor) => factor.friendly_name === name)) {
      throw refuseAuth('mfa_factor_name_conflict', {
        text: `A factor with the friendly name "${name}" for this user already exists`,
      })
    }
    for (const factor of phone === null ? [] : present.filter((other) => other.phone === phone)) {
      if (factor.verified_at !== null) throw refuseAuth('mfa_verified_factor_exists')
      await factors.remove(userId, factor.id)
    }
  }

  function readPhone(type: FactorType, phone: string | undefined): string | null {
    if (type !== 'phone') return null
    const identifier = readIdentifier({ phone })
    if (identifier && 'phone' in identifier) return identifier.phone
    throw refuseAuth('validation_failed', { text: 'Phone number required to enroll Phone factor' })
  }

  async function enrol(account: Account, wish: Enrolment): Promise<Enrolled> {
    if (account.secondFactorPending) {
      throw refuseAuth('insufficient_aal', { text: 'AAL2 required to enroll a new factor', status: 403 })
    }
    await proofs.demandFreshProof(account.signInId)
    const type = readType(wish.type)
    const user = await holderOf(account)
    const phone = readPhone(type, wish.phone)
    const name = wish.friendlyName || null
    await makeRoom(user.id, name, phone)
    const label = { issuer: wish.issuer || publicUrl.host, account: user.email ?? user.phone ?? user.id }
    const made = type === 'totp' ? newAppSecret(label) : null
    const id = randomUUIDv7()
    await factors.add({
      id,
      user_id: user.id,
      type,
      friendly_name: name,
      phone,
      sealed_secret: made && secret.seal(made.bytes, id),
      last_step: null,
      verified_at: null,
      last_challenged_at: null,
      created_at: now(),
      updated_at: now(),
    })
    return {
      id,
      type,
      ...(name !== null && { friendly_name: name }),
      ...(phone !== null && { phone }),
      ...(made && { totp: { qr_code: made.picture, secret: made.secret, uri: made.uri } }),
    }
  }

  async function challenge(account: Account, factorId: string): Promise<Challenged> {
    const factor = await find(account, factorId)
    if (factor.type === 'webauthn') throw refuseAuth('validation_failed', { text: 'This factor cannot be challenged' })
    await countChallenge(attempts, account.userId)
    const id = randomUUIDv7()
    const code = factor.phone === null ? null : sixDigits()
    if (factor.phone !== null) {
      await messages.hold(holdOf(factor.phone, factor, account))
    }
    const expiresAt = now() + secondFactorLimits.challengeMs
    const codeHash = code === null ? null : secret.hashCode(id, code)
    await factors.addChallenge(
      { id, factor_id: factorId, code_hash: codeHash, attempts: 0, expires_at: expiresAt },
      now(),
    )
    if (code !== null && factor.phone !== null) await messages.text(factor.phone, code)
    return { id, type: factor.type, expires_at: Math.floor(expiresAt / 1000) }
  }

  async function isRight(factor: FactorRecord, challengeId: string, code: string): Promise<boolean> {
    const asked = await factors.findChallenge(factor.id, challengeId)
    if (!asked)
      throw refuseAuth('mfa_factor_not_found', {
        text: 'MFA factor with the provided challenge ID not found',
        status: 422,
      })
    if (asked.expires_at <= now()) throw refuseAuth('mfa_challenge_expired')
    if (!(await factors.tryChallenge(asked.id))) return false
    if (factor.sealed_secret === null) {
      return secret.hashCode(asked.id, code) === asked.code_hash && factors.takeChallenge(asked.id)
    }
    const step = stepOf(code, secret.open(factor.sealed_secret, factor.id), now())
    return step !== null && (await factors.takeStep(factor.id, step)) && factors.takeChallenge(asked.id)
  }

  async function verify(account: Account, factorId: string, shown: Shown): Promise<AuthSession> {
    const factor = await find(account, factorId)
    const isPhone = factor.type === 'phone'
    if (account.secondFactorPending && factor.verified_at === null) {
      throw refuseAuth('insufficient_aal', { text: 'AAL2 required to verify a new factor', status: 403 })
    }
    const matches = () => isRight(factor, shown.challengeId, shown.code)
    if (!(await secondFactorGuard.check(account, shown.address, matches))) {
      throw refuseAuth('mfa_verification_failed', isPhone ? { text: 'Invalid MFA Phone code entered' } : {})
    }
    await factors.markVerified(factor, now())
    const user = await holderOf(account)
    if (factor.verified_at === null) await notices.send(noticeAddress(user), 'two-factor-added')
    return signIns.raise(user, account.signInId, { method: isPhone ? 'mfa/phone' : 'totp', factorId })
  }

  /** Takes a factor away; without any factor there is nothing that backup codes would stand in for. */
  async function remove(userId: string, factorId: string): Promise<void> {
    const factor = await factors.find(userId, factorId)
    if (!(await factors.remove(userId, factorId))) throw refuseAuth('mfa_factor_not_found')
    const user = await users.find(userId)
    if (user && factor?.verified_at) await notices.send(noticeAddress(user), 'two-factor-removed')
    await signIns.lower(userId, factorId)
    const left = await factors.list(userId)
    if (left.every((factor) => factor.verified_at === null)) await stores.backupCodes.replace(userId, [])
  }

  return {
    enrol,
    challenge,
    verify,
    remove,
    async unenrol(account: Account, factorId: string): Promise<void> {
      const factor = await find(account, factorId)
      if (factor.verified_at !== null && account.secondFactorPending) {
        throw refuseAuth('insufficient_aal', { text: 'AAL2 required to unenroll verified factor', status: 422 })
      }
      if (factor.verified_at !== null) await proofs.demandFreshProof(account.signInId)
      await remove(account.userId, factorId)
    },
  }
}

/**
 * A verified number belongs to the account, so that only its sign-ins use its messages up. One that is not verified may be
 * anyone's, and shares what may be sent to that number with all other requests.
 */
const holdOf = (phone: string, factor: FactorRecord, { userId, signInId }: Account) =>
  factor.verified_at === null
    ? { requester: userId, to: phone }
    : { requester: signInId, to: phone, counted: `factor|${factor.id}` }

export type Factors = ReturnType<typeof createFactors>

interface Shown {
  /** The address block it came from, for limits only. */
  readonly address: string
  readonly challengeId: string
  readonly code: string
}
