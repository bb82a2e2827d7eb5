import { randomBytes } from 'node:crypto'
import type { AuthSession } from '@sallyport/contract/auth'
import { mfaLimits } from '@sallyport/contract/limits'
import { noticeAddress } from '../../../platform/email/security-notices.ts'
import type { Account } from '../../../platform/http/caller.ts'
import { authError } from '../protocol/auth-error.ts'
import type { ProviderDeps } from '../provider-deps.ts'
import { countBackupCode, countBackupCodeSet } from '../sign-ins/auth-rate-limits.ts'
import { backupCodeAlphabet, backupCodeGroup, normalizeBackupCode } from './backup-code.rules.ts'

/** The `salt` of codes with a keyed hash. Codes of an earlier release have the salt of a slow hash there. */
const keyedHashSalt = ''

/** One-time codes that replace a lost second factor. */
export function createBackupCodes({
  stores,
  secret,
  hashes,
  authSessions,
  rateLimiter,
  notices,
  reauthentication,
}: ProviderDeps) {
  const { backupCodes, factors, users } = stores

  const keyedHashOf = (userId: string, code: string): string =>
    secret.hashCode(`backup-code|${userId}`, normalizeBackupCode(code))

  /** Returns the hash under which an earlier release stored codes. */
  async function slowHashOf(code: string, salt: string, address: string, release: () => Promise<void>) {
    const caller = { queue: 'sign-in', address } as const
    return hashes
      .hashWithSalt(normalizeBackupCode(code), Buffer.from(salt, 'base64url'), caller)
      .catch(async (error: unknown) => {
        await release()
        throw error
      })
  }

  return {
    countRemaining: async (userId: string): Promise<number> => (await backupCodes.list(userId)).length,

    /** Replaces all codes by a new set; returns null when the user has no verified factor. */
    async generate({ userId, authSessionId }: Pick<Account, 'userId' | 'authSessionId'>): Promise<string[] | null> {
      const userFactors = await factors.list(userId)
      if (userFactors.every((factor) => factor.verified_at === null)) return null
      await reauthentication.requireRecentAuthentication(authSessionId)
      await countBackupCodeSet(rateLimiter, userId)
      const codes = Array.from({ length: mfaLimits.backupCodes }, randomCode)
      const rows = codes.map((code) => ({ user_id: userId, salt: keyedHashSalt, code_hash: keyedHashOf(userId, code) }))
      await backupCodes.replace(userId, rows)
      const user = await users.find(userId)
      if (user) await notices.send(noticeAddress(user), 'backup-codes-replaced')
      return codes
    },

    /** Completes an auth session that lacks its second factor; returns null when the code is wrong or already used. */
    async redeem(account: Account, code: string, address: string): Promise<AuthSession | null> {
      const { userId, authSessionId, mfaPending } = account
      if (!mfaPending) return null
      const release = await countBackupCode(rateLimiter, userId)
      const [first] = await backupCodes.list(userId)
      if (!first) return null
      const digest =
        first.salt === keyedHashSalt ? keyedHashOf(userId, code) : await slowHashOf(code, first.salt, address, release)
      if (!(await backupCodes.consume(userId, digest))) return null
      await release()
      const user = await users.find(userId)
      if (!user) throw authError('session_not_found')
      return authSessions.raiseAal(user, authSessionId, { method: 'backup_code', factorId: null })
    },
  }
}

export type BackupCodes = ReturnType<typeof createBackupCodes>

/** A hosted provider accepts only its own factors, so there are no backup codes with it. */
export const noBackupCodes: BackupCodes = {
  countRemaining: async () => 0,
  generate: async () => null,
  redeem: async () => null,
}

/** Two groups of seven characters. With 70 random bits a code cannot be guessed, so a fast keyed hash is enough. */
function randomCode(): string {
  const characters = [...randomBytes(2 * backupCodeGroup)]
    .map((byte) => backupCodeAlphabet[byte % backupCodeAlphabet.length])
    .join('')
  return `${characters.slice(0, backupCodeGroup)}-${characters.slice(backupCodeGroup)}`
}
