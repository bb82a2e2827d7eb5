import type { AuthUser } from '@sallyport/contract/auth'
import type { ServerContext } from '../../context.ts'
import type { AdminsStore } from './admins.store.ts'

interface FirstAdminDeps extends Pick<ServerContext, 'confirmEmails' | 'securityLog' | 'now'> {
  readonly admins: Pick<AdminsStore, 'addFirst' | 'isOnlyUser'>
  /** Addresses whose users can become the first admin. */
  readonly emails: readonly string[]
  /** Whether the user has verified the email address by a link or code. */
  readonly hasProvenAddress: (userId: string) => Promise<boolean>
}

/**
 * Makes a user with a configured address the first admin when they sign in. Without a verified address this works only for
 * the very first account. Being the first account alone makes nobody an admin.
 */
export function createFirstAdmin(deps: FirstAdminDeps) {
  const { admins, emails, confirmEmails, hasProvenAddress, securityLog, now } = deps
  const adminEmails = new Set(emails.map((email) => email.toLowerCase()))
  return async ({ id, email, email_confirmed_at }: AuthUser): Promise<void> => {
    if (!adminEmails.has(email) || email_confirmed_at === undefined) return
    const isProven = confirmEmails && (await hasProvenAddress(id))
    const isAllowed = isProven || (await admins.isOnlyUser(id))
    if (isAllowed && (await admins.addFirst(id, now()))) securityLog.record('admin.added', { userId: id })
  }
}
