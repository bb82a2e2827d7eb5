import { randomUUIDv7 } from 'node:crypto'
import type { AuthSession } from '@sallyport/contract/auth'
import { mfaLimits } from '@sallyport/contract/limits'
import { noticeAddress } from '../../../platform/email/security-notices.ts'
import type { Account } from '../../../platform/http/caller.ts'
import { createNumericCode } from '../one-time/one-time-tokens.ts'
import { authError } from '../protocol/auth-error.ts'
import type { ProviderDeps } from '../provider-deps.ts'
import { countChallenge } from '../sign-ins/auth-rate-limits.ts'
import { parseIdentifier } from '../users/user-input.ts'
import type { UserRecord } from '../users/users.store.ts'
import type { FactorRecord, FactorType } from './factors.store.ts'
import { createTotpSecret, timeStepOf } from './totp.ts'

export interface EnrolFactorInput {
  readonly type: string | undefined
  readonly friendlyName: string | undefined
  readonly issuer: string | undefined
  readonly phone: string | undefined
}

/** The response to an enrolment. It is the only one that contains the secret. */
export interface EnrolledFactor {
  readonly id: string
  readonly type: FactorType
  readonly friendly_name?: string
  readonly phone?: string
  readonly totp?: { readonly qr_code: string; readonly secret: string; readonly uri: string }
}

export interface FactorChallenge {
  readonly id: string
  readonly type: FactorType
  /** Epoch seconds. */
  readonly expires_at: number
}

/** Second factors of the embedded provider: authenticator apps (TOTP) and phone numbers. */
export function createFactors(deps: ProviderDeps) {
  const { stores, secret, messages, authSessions, settings, rateLimiter, publicUrl, notices, securityLog, now } = deps
  const { mfaGuard, reauthentication } = deps
  const { factors, users } = stores

  async function findOwner({ userId }: Account): Promise<UserRecord> {
    const user = await users.find(userId)
    if (!user) throw authError('session_not_found')
    return user
  }

  async function find(account: Account, id: string): Promise<FactorRecord> {
    const factor = await factors.find(account.userId, id)
    if (!factor) throw authError('mfa_factor_not_found')
    return factor
  }

  function readType(type: string | undefined): FactorType {
    if (type !== 'totp' && type !== 'phone' && type !== 'webauthn') {
      throw authError('validation_failed', { text: 'factor_type needs to be totp, phone, or webauthn' })
    }
    if (settings.factorTypes.includes(type)) return type
    throw authError(type === 'phone' ? 'mfa_phone_enroll_not_enabled' : 'mfa_webauthn_enroll_not_enabled')
  }

  /** Rejects an enrolment that conflicts with an existing factor and removes unverified factors that it replaces. */
  async function prepareEnrolment(userId: string, name: string | null, phone: string | null): Promise<void> {
    await factors.removeUnverified(userId, now() - mfaLimits.unverifiedFactorMs)
    const existing = await factors.list(userId)
    if (existing.length >= mfaLimits.factorsPerAccount) throw authError('too_many_enrolled_mfa_factors')
    if (name !== null && existing.some((factor) => factor.friendly_name === name)) {
      throw authError('mfa_factor_name_conflict', {
        text: `A factor with the friendly name "${name}" for this user already exists`,
      })
    }
    for (const factor of phone === null ? [] : existing.filter((other) => other.phone === phone)) {
      if (factor.verified_at !== null) throw authError('mfa_verified_factor_exists')
      await factors.remove(userId, factor.id)
    }
  }

  function readPhone(type: FactorType, phone: string | undefined): string | null {
    if (type !== 'phone') return null
    const identifier = parseIdentifier({ phone })
    if (identifier && 'phone' in identifier) return identifier.phone
    throw authError('validation_failed', { text: 'Phone number required to enroll Phone factor' })
  }

  async function enrol(account: Account, input: EnrolFactorInput): Promise<EnrolledFactor> {
    if (account.mfaPending) {
      throw authError('insufficient_aal', { text: 'AAL2 required to enroll a new factor', status: 403 })
    }
    await reauthentication.requireRecentAuthentication(account.authSessionId)
    const type = readType(input.type)
    const user = await findOwner(account)
    const phone = readPhone(type, input.phone)
    const name = input.friendlyName || null
    await prepareEnrolment(user.id, name, phone)
    const label = { issuer: input.issuer || publicUrl.host, account: user.email ?? user.phone ?? user.id }
    const totpSecret = type === 'totp' ? createTotpSecret(label) : null
    const id = randomUUIDv7()
    await factors.add({
      id,
      user_id: user.id,
      type,
      friendly_name: name,
      phone,
      sealed_secret: totpSecret && secret.seal(totpSecret.bytes, id),
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
      ...(totpSecret && { totp: { qr_code: totpSecret.qrCode, secret: totpSecret.secret, uri: totpSecret.uri } }),
    }
  }

  async function challenge(account: Account, factorId: string): Promise<FactorChallenge> {
    const factor = await find(account, factorId)
    if (factor.type === 'webauthn') throw authError('validation_failed', { text: 'This factor cannot be challenged' })
    await countChallenge(rateLimiter, account.userId)
    const id = randomUUIDv7()
    const code = factor.phone === null ? null : createNumericCode()
    if (factor.phone !== null) {
      await messages.reserve(reservationOf(factor.phone, factor, account))
    }
    const expiresAt = now() + mfaLimits.challengeMs
    const codeHash = code === null ? null : secret.hashCode(id, code)
    await factors.addChallenge(
      { id, factor_id: factorId, code_hash: codeHash, attempts: 0, expires_at: expiresAt },
      now(),
    )
    if (code !== null && factor.phone !== null) await messages.text(factor.phone, code)
    return { id, type: factor.type, expires_at: Math.floor(expiresAt / 1000) }
  }

  async function isCodeValid(factor: FactorRecord, challengeId: string, code: string): Promise<boolean> {
    const pending = await factors.findChallenge(factor.id, challengeId)
    if (!pending)
      throw authError('mfa_factor_not_found', {
        text: 'MFA factor with the provided challenge ID not found',
        status: 422,
      })
    if (pending.expires_at <= now()) throw authError('mfa_challenge_expired')
    if (!(await factors.countChallengeAttempt(pending.id))) return false
    if (factor.sealed_secret === null) {
      return secret.hashCode(pending.id, code) === pending.code_hash && factors.consumeChallenge(pending.id)
    }
    const timeStep = timeStepOf(code, secret.open(factor.sealed_secret, factor.id), now())
    return (
      timeStep !== null && (await factors.consumeTimeStep(factor.id, timeStep)) && factors.consumeChallenge(pending.id)
    )
  }

  async function verify(account: Account, factorId: string, input: VerifyFactorInput): Promise<AuthSession> {
    const factor = await find(account, factorId)
    const isPhone = factor.type === 'phone'
    if (account.mfaPending && factor.verified_at === null) {
      throw authError('insufficient_aal', { text: 'AAL2 required to verify a new factor', status: 403 })
    }
    const matches = () => isCodeValid(factor, input.challengeId, input.code)
    if (!(await mfaGuard.check(account, input.address, matches))) {
      throw authError('mfa_verification_failed', isPhone ? { text: 'Invalid MFA Phone code entered' } : {})
    }
    await factors.markVerified(factor, now())
    const user = await findOwner(account)
    if (factor.verified_at === null) {
      securityLog.record('second-factor.added', { userId: user.id, address: input.address })
      await notices.send(noticeAddress(user), 'two-factor-added')
    }
    return authSessions.raiseAal(user, account.authSessionId, { method: isPhone ? 'mfa/phone' : 'totp', factorId })
  }

  /** Removes a factor. Removing the last verified one also removes the backup codes. */
  async function remove(userId: string, factorId: string): Promise<void> {
    const factor = await factors.find(userId, factorId)
    if (!(await factors.remove(userId, factorId))) throw authError('mfa_factor_not_found')
    const user = await users.find(userId)
    if (factor?.verified_at) securityLog.record('second-factor.removed', { userId })
    if (user && factor?.verified_at) await notices.send(noticeAddress(user), 'two-factor-removed')
    await authSessions.lowerAal(userId, factorId)
    const remaining = await factors.list(userId)
    if (remaining.every((factor) => factor.verified_at === null)) await stores.backupCodes.replace(userId, [])
  }

  return {
    enrol,
    challenge,
    verify,
    remove,
    async unenrol(account: Account, factorId: string): Promise<void> {
      const factor = await find(account, factorId)
      if (factor.verified_at !== null && account.mfaPending) {
        throw authError('insufficient_aal', { text: 'AAL2 required to unenroll verified factor', status: 422 })
      }
      if (factor.verified_at !== null) await reauthentication.requireRecentAuthentication(account.authSessionId)
      await remove(account.userId, factorId)
    },
  }
}

/**
 * A verified number belongs to the account, so its messages have a quota per auth session. An unverified number may
 * belong to anyone and shares the quota of that number with all other requests.
 */
const reservationOf = (phone: string, factor: FactorRecord, { userId, authSessionId }: Account) =>
  factor.verified_at === null
    ? { requester: userId, to: phone }
    : { requester: authSessionId, to: phone, quotaKey: `factor|${factor.id}` }

export type Factors = ReturnType<typeof createFactors>

interface VerifyFactorInput {
  /** The IP address block of the request, used for rate limits only. */
  readonly address: string
  readonly challengeId: string
  readonly code: string
}
