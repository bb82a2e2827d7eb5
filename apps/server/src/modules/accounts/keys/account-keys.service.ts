import { ignore } from '@sallyport/contract/ignore'
import { keyLimits, rateLimits, sweepLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import type { Job } from '../../../jobs.ts'
import type { SecurityEvent } from '../../../platform/email/email-service.ts'
import { noticeAddress } from '../../../platform/email/security-notices.ts'
import type { Account } from '../../../platform/http/caller.ts'
import type { AuthProvider } from '../../auth/provider.ts'
import type { AccountKeysStore, NewKey } from './account-keys.store.ts'
import type { PreviousKey, PreviousKeysStore } from './previous-keys.store.ts'
import type { RecoveryKeysStore } from './recovery-keys.store.ts'

type AccountKeysCaller = Pick<Account, 'userId' | 'authSessionId' | 'recoveredAt'>

interface AccountKeysServiceDeps extends Pick<ServerContext, 'rateLimiter' | 'notices' | 'now'> {
  readonly keys: AccountKeysStore
  readonly previousKeys: PreviousKeysStore
  readonly recoveryKeys: RecoveryKeysStore
  readonly provider: Pick<AuthProvider, 'isRecentlyAuthenticated' | 'findUser'>
}

/**
 * The wrapped account key: created once, wrapped again when the password changes, replaced only after a recovery email.
 * Only the first key is stored without a fresh proof of the password.
 */
export function createAccountKeysService({
  keys,
  previousKeys,
  recoveryKeys,
  provider,
  rateLimiter,
  notices,
  now,
}: AccountKeysServiceDeps) {
  const isFreshRecovery = ({ recoveredAt }: AccountKeysCaller): boolean =>
    recoveredAt !== null && recoveredAt > now() - keyLimits.keyResetMs

  async function requireFreshProof(caller: AccountKeysCaller): Promise<void> {
    if (isFreshRecovery(caller) || (await provider.isRecentlyAuthenticated(caller.authSessionId))) return
    throw apiError('PASSWORD_PROOF_REQUIRED')
  }

  const limitCommits = (userId: string): Promise<void> =>
    rateLimiter.require(`key-commit|${userId}`, rateLimits.keyCommitsPerAccount)

  async function notify(userId: string, event: SecurityEvent): Promise<void> {
    const user = await provider.findUser(userId).catch((error: unknown) => ignore(error, 'no notice is sent'))
    const { email = null, email_confirmed_at } = user ?? {}
    await notices.send(noticeAddress({ email, email_confirmed_at: email_confirmed_at ? now() : null }), event)
  }

  return {
    async find(userId: string) {
      return { slots: await keys.list(userId), recovery: await recoveryKeys.find(userId) }
    },

    async create(userId: string, key: NewKey): Promise<void> {
      if (!(await keys.create(userId, key, now()))) throw apiError('KEYS_EXIST')
    },

    async stage(caller: AccountKeysCaller, key: NewKey): Promise<number> {
      const [current] = await keys.list(caller.userId)
      const isNewAccountKey = current !== undefined && key.keyVersion > current.keyVersion
      if (isNewAccountKey && !isFreshRecovery(caller)) throw apiError('RECOVERY_REQUIRED')
      await requireFreshProof(caller)
      const slot = await keys.stage(caller.userId, key, now())
      if (slot === null) throw apiError('CONFLICT')
      return slot
    },

    /** Returns the number of lost files. */
    async commit(caller: AccountKeysCaller, slot: number): Promise<number> {
      await requireFreshProof(caller)
      await limitCommits(caller.userId)
      const lostFiles = await keys.commit(caller.userId, slot, now())
      if (lostFiles === null) throw apiError('KEYS_NOT_STAGED')
      await notify(caller.userId, 'account-key-changed')
      return lostFiles
    },

    /** Requires a proof of the current password, because an old password unwraps a previous key. */
    async listPrevious(caller: AccountKeysCaller): Promise<PreviousKey[]> {
      await requireFreshProof(caller)
      return previousKeys.list(caller.userId, now())
    },

    async restore(caller: AccountKeysCaller, id: string): Promise<void> {
      await requireFreshProof(caller)
      await limitCommits(caller.userId)
      if (!(await keys.restore(caller.userId, id, now()))) throw apiError('NOT_FOUND')
      await notify(caller.userId, 'account-key-restored')
    },

    async saveRecoveryKey(caller: AccountKeysCaller, key: { keyVersion: number; wrappedKey: string }): Promise<void> {
      await requireFreshProof(caller)
      if (!(await recoveryKeys.save(caller.userId, { ...key, createdAt: now() }))) throw apiError('CONFLICT')
      await notify(caller.userId, 'recovery-key-created')
    },

    async removeRecoveryKey(caller: AccountKeysCaller): Promise<void> {
      await requireFreshProof(caller)
      await recoveryKeys.remove(caller.userId)
      await notify(caller.userId, 'recovery-key-removed')
    },

    cleanupJob: {
      name: 'previous account keys',
      needsRightTime: true,
      everyMs: sweepLimits.everyMs,
      run: () => previousKeys.removeReplacedBefore(now() - keyLimits.previousMs),
    } satisfies Job,
  }
}

export type AccountKeysService = ReturnType<typeof createAccountKeysService>
