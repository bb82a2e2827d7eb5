import { noticeAddress, type SecurityNotices } from '../../../platform/email/security-notices.ts'
import type { UserRecord } from './users.store.ts'

/** Called with the old and the new identifier of a user, both normalized; `from` is null where there was none. */
export type OnIdentifierChange = (userId: string, from: string | null, to: string) => Promise<void>

/** Reports changed identifiers and sends notices: of a new email address to the one before. */
export async function applyIdentifierChange(
  before: UserRecord,
  after: UserRecord,
  {
    onRename: onIdentifierChange,
    notices,
  }: { readonly onRename: OnIdentifierChange; readonly notices: SecurityNotices },
): Promise<void> {
  await reportIdentifierChanges(before, after, onIdentifierChange)
  if (before.email !== after.email) await notices.send(noticeAddress(before), 'address-changed')
  if (before.phone !== after.phone) await notices.send(noticeAddress(after), 'phone-changed')
}

async function reportIdentifierChanges(
  before: UserRecord,
  after: UserRecord,
  onIdentifierChange: OnIdentifierChange,
): Promise<void> {
  for (const column of ['email', 'phone'] as const) {
    const to = after[column]
    if (to !== null && to !== before[column]) await onIdentifierChange(after.id, before[column], to)
  }
}
