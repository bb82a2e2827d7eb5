/** Where the provider's client keeps the sign-in of this browser. */
export const authStorageKey = 'sallyport-auth'

/** Whether this browser holds a sign-in, good or not; told without loading anything. */
export function hasStoredSignIn(storage: Storage): boolean {
  try {
    return storage.getItem(authStorageKey) !== null
  } catch {
    return false
  }
}

/** The same of this browser; one that keeps the page from its storage holds none. */
export function isSignInStored(): boolean {
  try {
    return hasStoredSignIn(localStorage)
  } catch {
    return false
  }
}
