import { noticeAddress, type SecurityNotices } from '../../post/security-notices.ts'
import type { UserRecord } from './users.store.ts'

/** Told of a new name of a user. Both names are in their normal forms; `from` is null where there was none. */
export type Rename = (userId: string, from: string | null, to: string) => Promise<void>

/** Moves what belongs to a user's names along with them, and sends a notice to an address that is theirs no longer. */
export async function applyRename(
  before: UserRecord,
  after: UserRecord,
  { onRename, notices }: { readonly onRename: Rename; readonly notices: SecurityNotices },
): Promise<void> {
  await tellOfNames(before, after, onRename)
  if (before.email !== after.email) await notices.send(noticeAddress(before), 'address-changed')
}

async function tellOfNames(before: UserRecord, after: UserRecord, onRename: Rename): Promise<void> {
  for (const name of ['email', 'phone'] as const) {
    const to = after[name]
    if (to !== null && to !== before[name]) await onRename(after.id, before[name], to)
  }
}
