import type { AuthUser } from '@sallyport/contract/auth'
import type { AdminsStore } from './admins.store.ts'

interface Parts {
  readonly admins: Pick<AdminsStore, 'addFirst' | 'isAlone'>
  /** Addresses whose holders may become the first admin. */
  readonly emails: readonly string[]
  /** Addresses are known to belong to those who registered with them. */
  readonly confirmAddresses: boolean
  /** Whether a mail has shown that the user's address is theirs. */
  readonly hasProvenAddress: (userId: string) => Promise<boolean>
  readonly now: () => number
}

/**
 * Makes the first admin of somebody who signs in with an address that was set for it. Where no mail has shown that the
 * address is theirs, only the very first account is believed. Nobody becomes admin by being first alone.
 */
export function createFirstAdmin({ admins, emails, confirmAddresses, hasProvenAddress, now }: Parts) {
  const named = new Set(emails.map((email) => email.toLowerCase()))
  return async ({ id, email, email_confirmed_at }: AuthUser): Promise<void> => {
    if (!named.has(email) || email_confirmed_at === undefined) return
    const isProven = confirmAddresses && (await hasProvenAddress(id))
    if (isProven || (await admins.isAlone(id))) await admins.addFirst(id, now())
  }
}
