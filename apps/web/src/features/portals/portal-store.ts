import { openExistingDatabase } from '@sallyport/browser/existing-database'
import type { PersistedSlot } from '@sallyport/client/portal/portal-state'
import type {
  PersistedBlock,
  PersistedIncoming,
  PersistedOutgoing,
} from '@sallyport/client/portal/transfer/transfer-journal'
import { portalLimits } from '@sallyport/contract/limits'
import { removeReceivedFiles } from '@sallyport/transfers/browser/downloads/received-files'
import { type DBSchema, deleteDB, type IDBPDatabase, type OpenDBCallbacks, openDB } from 'idb'
import { forgetResumable, noteResumableUntil } from './interrupted-until.ts'

/** A portal slot as this browser stores it. */
export interface StoredSlot extends PersistedSlot {
  readonly id: string
  /** Epoch milliseconds of this device's last activity in the portal. */
  readonly at: number
}

export interface StoredIncoming extends PersistedIncoming {
  readonly finished: readonly number[]
}

export interface StoredOutgoing extends PersistedOutgoing {
  /** The handle of each file; null where the browser has none. */
  readonly handles: readonly (FileSystemFileHandle | null)[]
}

export interface StoredProgress {
  readonly tid: string
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly at: number
}

interface Schema extends DBSchema {
  places: { key: string; value: StoredSlot }
  arrivals: { key: string; value: StoredIncoming }
  departures: { key: string; value: StoredOutgoing }
  progress: { key: string; value: StoredProgress }
  blocks: { key: [tid: string, f: number, block: number]; value: string }
}

const databaseName = 'sallyport-portals'
/** An interrupted transfer can be resumed for this long. */
export const transferRetentionMs = 24 * 3_600_000
/** Longer than the server holds a portal for a device that is gone, as the slot is stored once a minute. */
export const slotRetentionMs = 2 * portalLimits.graceMs
const transferStores = ['arrivals', 'departures', 'progress'] as const

export function putSlot(slot: StoredSlot): Promise<unknown> {
  noteResumableUntil(slot.at + slotRetentionMs)
  return withDatabase((database) => database.put('places', slot))
}
export const removeSlot = (id: string): Promise<unknown> =>
  withExistingDatabase((database) => database.delete('places', id))
export const putIncoming = (incoming: PersistedIncoming): Promise<unknown> =>
  withDatabase((database) => database.put('arrivals', { ...incoming, finished: [] }))
export const putOutgoing = (outgoing: StoredOutgoing): Promise<unknown> =>
  withDatabase((database) => database.put('departures', outgoing))
export function putProgress(progress: StoredProgress): Promise<unknown> {
  noteResumableUntil(progress.at + transferRetentionMs)
  return withExistingDatabase((database) => database.put('progress', progress))
}

export async function putBlocks(tid: string, blocks: readonly PersistedBlock[]): Promise<void> {
  await withExistingDatabase(async (database) => {
    const transaction = database.transaction(['arrivals', 'blocks'], 'readwrite')
    // Blocks of a discarded transfer are not stored.
    if ((await transaction.objectStore('arrivals').getKey(tid)) !== undefined) {
      const store = transaction.objectStore('blocks')
      await Promise.all(blocks.map(({ f, block, digest }) => store.put(digest, [tid, f, block])))
    }
    await transaction.done
  })
}

export async function putFinished(tid: string, f: number): Promise<void> {
  await withExistingDatabase(async (database) => {
    const transaction = database.transaction('arrivals', 'readwrite')
    const found = await transaction.store.get(tid)
    if (found) await transaction.store.put({ ...found, finished: [...found.finished, f] })
    await transaction.done
  })
}

export async function readIncoming(
  tid: string,
): Promise<{ note: StoredIncoming; blocks: PersistedBlock[]; finished: readonly number[] } | null> {
  return withExistingDatabase(async (database) => {
    const note = await database.get('arrivals', tid)
    if (!note) return null
    const [keys, values] = await Promise.all([
      database.getAllKeys('blocks', blocksOf(tid)),
      database.getAll('blocks', blocksOf(tid)),
    ])
    const blocks = keys.map(([, f, block], index) => ({ f, block, digest: values[index] ?? '' }))
    return { note, blocks, finished: note.finished }
  })
}

/** Removes everything that is stored of a transfer. */
export async function removeTransfer(tid: string): Promise<void> {
  await withExistingDatabase(async (database) => {
    const transaction = database.transaction(['arrivals', 'departures', 'progress', 'blocks'], 'readwrite')
    await Promise.all([
      ...transferStores.map((name) => transaction.objectStore(name).delete(tid)),
      transaction.objectStore('blocks').delete(blocksOf(tid)),
      transaction.done,
    ])
  })
}

/** Reads all records. */
export async function readAll() {
  const records = await withExistingDatabase(async (database) => {
    const [places, arrivals, departures, progress] = await Promise.all([
      database.getAll('places'),
      database.getAll('arrivals'),
      database.getAll('departures'),
      database.getAll('progress'),
    ])
    return { places, arrivals, departures, progress }
  })
  return records ?? { places: [], arrivals: [], departures: [], progress: [] }
}

/** Removes the portal data of every account, including received bytes. */
export async function deletePortalData(): Promise<void> {
  forgetResumable()
  await Promise.all([deleteDB(databaseName), removeReceivedFiles({ all: true })])
}

const blocksOf = (tid: string): IDBKeyRange =>
  IDBKeyRange.bound([tid, 0, 0], [tid, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])

const callbacks: OpenDBCallbacks<Schema> = {
  upgrade(newDatabase) {
    newDatabase.createObjectStore('places', { keyPath: 'id' })
    for (const name of transferStores) newDatabase.createObjectStore(name, { keyPath: 'tid' })
    newDatabase.createObjectStore('blocks')
  },
}

type Operation<Result> = (database: IDBPDatabase<Schema>) => Promise<Result>

/** Creates the database where it does not exist. */
const withDatabase = async <Result>(operation: Operation<Result>): Promise<Result> =>
  runOn(await openDB<Schema>(databaseName, 1, callbacks), operation)

/** Returns null where no database exists: a sign-out in another tab may have deleted it. */
async function withExistingDatabase<Result>(operation: Operation<Result>): Promise<Result | null> {
  const database = await openExistingDatabase<Schema>(databaseName, 1, callbacks)
  return database && runOn(database, operation)
}

/** Closes the database after one operation, so that an open connection never blocks its deletion. */
async function runOn<Result>(database: IDBPDatabase<Schema>, operation: Operation<Result>): Promise<Result> {
  try {
    return await operation(database)
  } finally {
    database.close()
  }
}
