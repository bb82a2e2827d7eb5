/** The keys of one account as text, in base64url. */
export interface KeptKeys {
  readonly userId: string
  readonly masterKey: string
  readonly accountKey: string
}

const names = { userId: 'keysOf', masterKey: 'masterKey', accountKey: 'accountKey' } as const

/** Keys live in session storage: this tab has them until it closes, and nothing writes them to disk for longer. */
export function keepKeys(storage: Storage, keys: KeptKeys): void {
  storage.setItem(names.userId, keys.userId)
  storage.setItem(names.masterKey, keys.masterKey)
  storage.setItem(names.accountKey, keys.accountKey)
}

/** The kept keys of this very account, or null. */
export function readKeptKeys(storage: Storage, userId: string): KeptKeys | null {
  const masterKey = storage.getItem(names.masterKey)
  const accountKey = storage.getItem(names.accountKey)
  if (storage.getItem(names.userId) !== userId || !masterKey || !accountKey) return null
  return { userId, masterKey, accountKey }
}

export function forgetKeys(storage: Storage): void {
  for (const name of Object.values(names)) storage.removeItem(name)
}
