/** The keys of one account, encoded as base64url. */
export interface EncodedKeys {
  readonly userId: string
  readonly masterKey: string
  readonly accountKey: string
}

const storageKeys = { userId: 'keysOf', masterKey: 'masterKey', accountKey: 'accountKey' } as const

/** Stores the keys in session storage, where they last until the tab closes. */
export function storeKeys(storage: Storage, keys: EncodedKeys): void {
  storage.setItem(storageKeys.userId, keys.userId)
  storage.setItem(storageKeys.masterKey, keys.masterKey)
  storage.setItem(storageKeys.accountKey, keys.accountKey)
}

/** Returns the stored keys of this account, or null. */
export function readStoredKeys(storage: Storage, userId: string): EncodedKeys | null {
  const masterKey = storage.getItem(storageKeys.masterKey)
  const accountKey = storage.getItem(storageKeys.accountKey)
  if (storage.getItem(storageKeys.userId) !== userId || !masterKey || !accountKey) return null
  return { userId, masterKey, accountKey }
}

export function deleteStoredKeys(storage: Storage): void {
  for (const name of Object.values(storageKeys)) storage.removeItem(name)
}
