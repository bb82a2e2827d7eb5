import type { Call } from '@sallyport/client/call'
import { accountKeys } from '@sallyport/contract/account-keys'
import { createRecoveryKey, encodeRecoveryKey, fromBase64url, wrapForRecovery } from '@sallyport/crypto'
import type { KeptKeys } from './kept-keys.ts'

export interface NewRecoveryKey {
  /** Groups of four, shown this once. */
  readonly groups: readonly string[]
  /** Has the server keep what it opens, in place of an earlier one. Until then the earlier one is good. */
  readonly takeIntoUse: () => Promise<void>
}

/** Makes a recovery key for the keys that are open. It is nowhere but in the answer. */
export async function makeRecoveryKey(call: Call, keys: KeptKeys): Promise<NewRecoveryKey> {
  const { userId } = keys
  const recoveryKey = createRecoveryKey()
  const wrappedKey = await wrapForRecovery({ recoveryKey, userId, accountKey: fromBase64url(keys.accountKey) })
  return {
    groups: (await encodeRecoveryKey(recoveryKey)).split('-'),
    async takeIntoUse() {
      const { slots } = await call(accountKeys.keys, {})
      await call(accountKeys.saveRecoveryKey, { body: { keyVersion: slots[0]?.keyVersion ?? 0, wrappedKey } })
    },
  }
}
