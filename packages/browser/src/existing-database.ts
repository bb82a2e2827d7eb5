import { ignore } from '@sallyport/contract/ignore'
import { type DBSchema, type IDBPDatabase, type OpenDBCallbacks, openDB } from 'idb'

/**
 * Opens a database; null where it does not exist. What reads or deletes entries must not create the database again that
 * a sign-out in another tab has just deleted.
 */
export async function openExistingDatabase<Schema extends DBSchema>(
  name: string,
  version: number,
  callbacks: OpenDBCallbacks<Schema>,
): Promise<IDBPDatabase<Schema> | null> {
  const listed = await indexedDB.databases()
  if (!listed.some((database) => database.name === name)) return null
  let isMissing = false
  try {
    return await openDB<Schema>(name, version, {
      ...callbacks,
      upgrade(database, oldVersion, newVersion, transaction, event) {
        // The database was deleted after it was listed.
        isMissing = oldVersion === 0
        if (!isMissing) return callbacks.upgrade?.(database, oldVersion, newVersion, transaction, event)
        transaction.done.catch((error) => ignore(error, 'the transaction is aborted'))
        transaction.abort()
      },
    })
  } catch (error) {
    if (isMissing) return null
    throw error
  }
}
