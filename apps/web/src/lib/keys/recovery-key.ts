import type { Call } from '@sallyport/client/call'
import { accountKeys } from '@sallyport/contract/account-keys'
import { createRecoveryKey, encodeRecoveryKey, fromBase64url, wrapForRecovery } from '@sallyport/crypto'
import { requireLatestKeyVersion } from './key-versions.ts'
import type { EncodedKeys } from './stored-keys.ts'

export interface NewRecoveryKey {
  /** Groups of four characters, shown only once. */
  readonly groups: readonly string[]
  /** Saves its wrapping on the server, which replaces an earlier one. Until then the earlier one stays valid. */
  readonly activate: () => Promise<void>
}

/**
 * Creates a recovery key for the unlocked keys. It exists only in the returned value. Its wrapping is bound to the key
 * version, which must be the one that this device has opened; the server's response alone does not decide it.
 */
export async function createAccountRecoveryKey(
  { call, storage }: { readonly call: Call; readonly storage: Storage },
  keys: EncodedKeys,
): Promise<NewRecoveryKey> {
  const { userId } = keys
  const recoveryKey = createRecoveryKey()
  const accountKey = fromBase64url(keys.accountKey)
  return {
    groups: (await encodeRecoveryKey(recoveryKey)).split('-'),
    async activate() {
      const { slots } = await call(accountKeys.keys, {})
      const keyVersion = slots[0]?.keyVersion ?? 0
      requireLatestKeyVersion(userId, keyVersion, storage)
      const wrappedKey = await wrapForRecovery({ recoveryKey, userId, keyVersion, accountKey })
      await call(accountKeys.saveRecoveryKey, { body: { keyVersion, wrappedKey } })
    },
  }
}
