import { randomBytes } from 'node:crypto'
import type { AuthSession } from '@sallyport/contract/auth'
import { secondFactorLimits } from '@sallyport/contract/limits'
import type { Account } from '../../http/caller.ts'
import { noticeAddress } from '../../post/security-notices.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { ProviderParts } from '../provider-parts.ts'
import { countBackupCode, countBackupCodeSet } from '../sign-ins/sign-in-attempts.ts'

type Parts = Pick<ProviderParts, 'stores' | 'secret' | 'hashes' | 'signIns' | 'attempts' | 'notices' | 'proofs'>

/** Crockford's letters and digits: none can be taken for another one. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const codeLength = 14
/** Stands where codes of an earlier release have the salt of a slow hash. */
const keyedHash = ''

/** Codes on paper that stand in for a second factor that was lost, each of them once. */
export function createBackupCodes({ stores, secret, hashes, signIns, attempts, notices, proofs }: Parts) {
  const { backupCodes, factors, users } = stores

  const keyedHashOf = (userId: string, code: string): string =>
    secret.hashCode(`backup-code|${userId}`, plainForm(code))

  /** As codes of an earlier release are stored. */
  async function slowHashOf(code: string, salt: string, address: string, release: () => Promise<void>) {
    const caller = { queue: 'sign-in', address } as const
    return hashes.digest(plainForm(code), Buffer.from(salt, 'base64url'), caller).catch(async (error: unknown) => {
      await release()
      throw error
    })
  }

  return {
    left: async (userId: string): Promise<number> => (await backupCodes.list(userId)).length,

    /** A new set in place of the old one; null where there is no factor that they would stand in for. */
    async make({ userId, signInId }: Pick<Account, 'userId' | 'signInId'>): Promise<string[] | null> {
      const held = await factors.list(userId)
      if (held.every((factor) => factor.verified_at === null)) return null
      await proofs.demandFreshProof(signInId)
      await countBackupCodeSet(attempts, userId)
      const codes = Array.from({ length: secondFactorLimits.backupCodes }, randomCode)
      const rows = codes.map((code) => ({ user_id: userId, salt: keyedHash, code_hash: keyedHashOf(userId, code) }))
      await backupCodes.replace(userId, rows)
      const user = await users.find(userId)
      if (user) await notices.send(noticeAddress(user), 'backup-codes-replaced')
      return codes
    },

    /** Completes a sign-in that lacks its second factor; null when the code is none, or was used before. */
    async use(account: Account, code: string, address: string): Promise<AuthSession | null> {
      const { userId, signInId, secondFactorPending } = account
      if (!secondFactorPending) return null
      const forgive = await countBackupCode(attempts, userId)
      const [first] = await backupCodes.list(userId)
      if (!first) return null
      const digest =
        first.salt === keyedHash ? keyedHashOf(userId, code) : await slowHashOf(code, first.salt, address, forgive)
      if (!(await backupCodes.take(userId, digest))) return null
      await forgive()
      const user = await users.find(userId)
      if (!user) throw refuseAuth('session_not_found')
      return signIns.raise(user, signInId, { method: 'backup_code', factorId: null })
    },
  }
}

export type BackupCodes = ReturnType<typeof createBackupCodes>

/** A provider elsewhere raises its sign-ins by its own factors alone; there are no codes on paper beside it. */
export const noBackupCodes: BackupCodes = {
  left: async () => 0,
  make: async () => null,
  use: async () => null,
}

/** Two groups of seven: 70 random bits, which nobody guesses, so that a fast keyed hash is enough. */
function randomCode(): string {
  const letters = [...randomBytes(codeLength)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return `${letters.slice(0, codeLength / 2)}-${letters.slice(codeLength / 2)}`
}

/** As people may type it: with or without the dash, in capitals, and with letters for the digits they look like. */
const plainForm = (code: string): string =>
  code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
