/** The storage key under which the provider's client stores the auth session of this browser. */
export const authStorageKey = 'sallyport-auth'

/** The same for the auth session of an email link, which is stored for its tab only. */
export const linkStorageKey = `${authStorageKey}-passing`

/** Whether an auth session is stored, valid or not; needs no other module. */
export function hasStoredAuthSession(storage: Storage): boolean {
  try {
    return storage.getItem(authStorageKey) !== null
  } catch {
    return false
  }
}

/** Checks this browser's local storage; false if access to it is denied. */
export function isAuthSessionStored(): boolean {
  try {
    return hasStoredAuthSession(localStorage)
  } catch {
    return false
  }
}
