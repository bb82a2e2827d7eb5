import type { UserRecord } from './users.store.ts'

/** Told of a new name of a user. Both names are in their normal forms; `from` is null where there was none. */
export type Rename = (userId: string, from: string | null, to: string) => Promise<void>

/** Says which names of a user are new. */
export async function tellOfNames(before: UserRecord, after: UserRecord, onRename: Rename): Promise<void> {
  for (const name of ['email', 'phone'] as const) {
    const to = after[name]
    if (to !== null && to !== before[name]) await onRename(after.id, before[name], to)
  }
}
