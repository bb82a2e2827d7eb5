import { keyLimits, rateLimits, sweepLimits } from '@sallyport/contract/server-limits'
import type { AuthProvider } from '../auth/provider.ts'
import { refuse } from '../errors.ts'
import type { Job } from '../jobs/scheduler.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { SecurityEvent } from '../post/post.ts'
import { noticeAddress, type SecurityNotices } from '../post/security-notices.ts'
import type { AccountKeysStore, NewKey } from './account-keys.store.ts'
import type { PreviousKey, PreviousKeysStore } from './previous-keys.store.ts'
import type { RecoveryKeysStore } from './recovery-keys.store.ts'

interface Caller {
  readonly userId: string
  readonly signInId: string
  /** When a recovery mail began this sign-in (epoch ms); null for every other one. */
  readonly recoveredAt: number | null
}

interface Parts {
  readonly keys: AccountKeysStore
  readonly previousKeys: PreviousKeysStore
  readonly recoveryKeys: RecoveryKeysStore
  readonly provider: Pick<AuthProvider, 'hasFreshProof' | 'findUser'>
  readonly attempts: Attempts
  readonly notices: SecurityNotices
  readonly now: () => number
}

/**
 * The wrapped account key: made once, wrapped anew when a password changes, replaced only after a recovery mail.
 * Nothing but the first is stored without a fresh proof that the caller is the owner.
 */
export function createAccountKeys({ keys, previousKeys, recoveryKeys, provider, attempts, notices, now }: Parts) {
  const isFreshRecovery = ({ recoveredAt }: Caller): boolean =>
    recoveredAt !== null && recoveredAt > now() - keyLimits.startAgainMs

  async function demandProof(caller: Caller): Promise<void> {
    if (isFreshRecovery(caller) || (await provider.hasFreshProof(caller.signInId))) return
    throw refuse('PASSWORD_PROOF_REQUIRED')
  }

  async function countCommit(userId: string): Promise<void> {
    const { allowed, retryAfterSeconds } = await attempts.allow(`key-commit|${userId}`, rateLimits.keyCommitsPerAccount)
    if (!allowed) throw refuse('RATE_LIMITED', { retryAfterSeconds })
  }

  async function notify(userId: string, event: SecurityEvent): Promise<void> {
    const user = await provider.findUser(userId).catch(() => null)
    const { email = null, email_confirmed_at } = user ?? {}
    await notices.send(noticeAddress({ email, email_confirmed_at: email_confirmed_at ? now() : null }), event)
  }

  return {
    async find(userId: string) {
      return { slots: await keys.list(userId), recovery: await recoveryKeys.find(userId) }
    },

    async create(userId: string, key: NewKey): Promise<void> {
      if (!(await keys.create(userId, key, now()))) throw refuse('KEYS_EXIST')
    },

    async stage(caller: Caller, key: NewKey): Promise<number> {
      const [inUse] = await keys.list(caller.userId)
      const isAnother = inUse !== undefined && key.keyVersion > inUse.keyVersion
      if (isAnother && !isFreshRecovery(caller)) throw refuse('RECOVERY_REQUIRED')
      await demandProof(caller)
      const slot = await keys.stage(caller.userId, key, now())
      if (slot === null) throw refuse('CONFLICT')
      return slot
    },

    /** Answers how many files are lost. */
    async commit(caller: Caller, slot: number): Promise<number> {
      await demandProof(caller)
      await countCommit(caller.userId)
      const lostFiles = await keys.commit(caller.userId, slot, now())
      if (lostFiles === null) throw refuse('KEYS_NOT_STAGED')
      await notify(caller.userId, 'account-key-changed')
      return lostFiles
    },

    /** An old password opens its key, so that these are shown only next to the current one. */
    async listPrevious(caller: Caller): Promise<PreviousKey[]> {
      await demandProof(caller)
      return previousKeys.list(caller.userId, now())
    },

    async restore(caller: Caller, id: string): Promise<void> {
      await demandProof(caller)
      await countCommit(caller.userId)
      if (!(await keys.restore(caller.userId, id, now()))) throw refuse('NOT_FOUND')
      await notify(caller.userId, 'account-key-restored')
    },

    async saveRecoveryKey(caller: Caller, key: { keyVersion: number; wrappedKey: string }): Promise<void> {
      await demandProof(caller)
      if (!(await recoveryKeys.save(caller.userId, { ...key, createdAt: now() }))) throw refuse('CONFLICT')
      await notify(caller.userId, 'recovery-key-created')
    },

    async removeRecoveryKey(caller: Caller): Promise<void> {
      await demandProof(caller)
      await recoveryKeys.remove(caller.userId)
      await notify(caller.userId, 'recovery-key-removed')
    },

    forgetOld: {
      name: 'previous account keys',
      everyMs: sweepLimits.everyMs,
      run: () => previousKeys.removeReplacedBefore(now() - keyLimits.previousMs),
    } satisfies Job,
  }
}

export type AccountKeys = ReturnType<typeof createAccountKeys>
