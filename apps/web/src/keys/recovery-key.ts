import type { Call } from '@sallyport/client/call'
import { accountKeys } from '@sallyport/contract/account-keys'
import { createRecoveryKey, encodeRecoveryKey, fromBase64url, wrapForRecovery } from '@sallyport/crypto'
import type { KeptKeys } from './kept-keys.ts'
import { requireLatestKeyVersion } from './key-versions.ts'

export interface NewRecoveryKey {
  /** Groups of four, shown this once. */
  readonly groups: readonly string[]
  /** Has the server keep what it opens, in place of an earlier one. Until then the earlier one is good. */
  readonly takeIntoUse: () => Promise<void>
}

/**
 * Makes a recovery key for the keys that are open. It is nowhere but in the answer. What it opens is bound to the key
 * version, which has to be the one that this device has opened: the server's answer alone does not decide it.
 */
export async function makeRecoveryKey(
  { call, storage }: { readonly call: Call; readonly storage: Storage },
  keys: KeptKeys,
): Promise<NewRecoveryKey> {
  const { userId } = keys
  const recoveryKey = createRecoveryKey()
  const accountKey = fromBase64url(keys.accountKey)
  return {
    groups: (await encodeRecoveryKey(recoveryKey)).split('-'),
    async takeIntoUse() {
      const { slots } = await call(accountKeys.keys, {})
      const keyVersion = slots[0]?.keyVersion ?? 0
      requireLatestKeyVersion(userId, keyVersion, storage)
      const wrappedKey = await wrapForRecovery({ recoveryKey, userId, keyVersion, accountKey })
      await call(accountKeys.saveRecoveryKey, { body: { keyVersion, wrappedKey } })
    },
  }
}
