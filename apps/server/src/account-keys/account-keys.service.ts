import { keyLimits } from '@sallyport/contract/limits'
import { refuse } from '../errors.ts'
import type { AccountKeysStore, NewKey } from './account-keys.store.ts'
import type { RecoveryKeysStore } from './recovery-keys.store.ts'

interface Caller {
  readonly userId: string
  /** When a recovery mail began this sign-in (epoch ms); null for every other one. */
  readonly recoveredAt: number | null
}

interface Parts {
  readonly keys: AccountKeysStore
  readonly recoveryKeys: RecoveryKeysStore
  readonly now: () => number
}

/** The wrapped account key: made once, wrapped anew when a password changes, replaced only after a recovery mail. */
export function createAccountKeys({ keys, recoveryKeys, now }: Parts) {
  const isFreshRecovery = ({ recoveredAt }: Caller): boolean =>
    recoveredAt !== null && recoveredAt > now() - keyLimits.startAgainMs

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
      const slot = await keys.stage(caller.userId, key, now())
      if (slot === null) throw refuse('CONFLICT')
      return slot
    },

    /** Answers how many files are lost. */
    async commit(userId: string, slot: number): Promise<number> {
      const lostFiles = await keys.commit(userId, slot, now())
      if (lostFiles === null) throw refuse('KEYS_NOT_STAGED')
      return lostFiles
    },

    async saveRecoveryKey(userId: string, key: { keyVersion: number; wrappedKey: string }): Promise<void> {
      if (!(await recoveryKeys.save(userId, { ...key, createdAt: now() }))) throw refuse('CONFLICT')
    },
    removeRecoveryKey: (userId: string): Promise<void> => recoveryKeys.remove(userId),
  }
}

export type AccountKeys = ReturnType<typeof createAccountKeys>
