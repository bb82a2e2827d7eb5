import { ignore } from '@sallyport/contract/ignore'
import * as z from 'zod/mini'

/** A sign-up whose seats are not paid for yet: words to show, which give no right. It never has a password. */
const StoredBusinessSignUp = z.object({ organization_name: z.string(), quantity: z.number() })
type StoredBusinessSignUp = z.output<typeof StoredBusinessSignUp>

const storageKey = 'businessSignup'

/** Stores it, unless the storage is full: it is only shown. */
export function storeBusinessSignUp(storage: Storage, signUp: StoredBusinessSignUp): void {
  try {
    storage.setItem(storageKey, JSON.stringify(signUp))
  } catch (error) {
    ignore(error, 'the server knows the sign-up')
  }
}

/** Returns the stored sign-up; null without one, or if it is unreadable. */
export function readBusinessSignUp(storage: Storage): StoredBusinessSignUp | null {
  try {
    return StoredBusinessSignUp.parse(JSON.parse(storage.getItem(storageKey) ?? 'null'))
  } catch {
    return null
  }
}

export function clearBusinessSignUp(storage: Storage): void {
  storage.removeItem(storageKey)
}
