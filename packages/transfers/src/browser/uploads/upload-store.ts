import { openExistingDatabase } from '@sallyport/browser/existing-database'
import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, type OpenDBCallbacks, openDB } from 'idb'
import type { PersistedUpload } from '../../engine/upload/journal.ts'
import type { FileLocator } from './file-handles.ts'

/** An upload as this browser persists it: the server's record, and the handle of the file where there is one. */
export interface StoredUpload extends PersistedUpload {
  /** Identifies the key that opens it: the id of an account, or `session:` and the id of a session. */
  readonly holder: string
  /** The page that owns it; null for none. */
  readonly page: string | null
  /** Epoch milliseconds. */
  readonly notedAt: number
  readonly way: FileLocator | null
  /**
   * For a pasted file: the plain bytes that are stored here encrypted, 0 where it was too large. Null for a file on the
   * disk.
   */
  readonly heldBytes: number | null
}

interface Schema extends DBSchema {
  uploads: { key: string; value: StoredUpload }
  imprints: { key: [uploadId: string, chunkIndex: number]; value: Uint8Array<ArrayBuffer> }
  /** Whole encrypted files. */
  held: { key: string; value: Uint8Array<ArrayBuffer> }
}

/** An entry of version 1, before uploads of sessions were persisted. */
interface StoredUploadV1 extends PersistedUpload {
  readonly userId: string
  readonly begunAt: number
  readonly handle: FileSystemFileHandle | null
}

const databaseName = 'sallyport-uploads'
const stores = ['uploads', 'imprints', 'held'] as const

export type UploadTransaction = IDBPTransaction<Schema, ('uploads' | 'imprints' | 'held')[], 'readwrite'>

export interface UpdateOptions {
  /** Whether the update creates the database where it does not exist; otherwise it does nothing there. */
  readonly createsDatabase: boolean
}

/** Runs an update in one transaction, which is atomic. */
export async function updateUploads(
  update: (transaction: UploadTransaction) => Promise<unknown>,
  options: UpdateOptions,
): Promise<void> {
  await withDatabase(async (database) => {
    const transaction = database.transaction([...stores], 'readwrite')
    await Promise.all([update(transaction), transaction.done])
  }, options)
}

/** Reads all entries, regardless of their holder. */
export const readUploads = async (): Promise<StoredUpload[]> =>
  (await withDatabase((database) => database.getAll('uploads'))) ?? []

/** The ids of the uploads with at least one encrypted chunk. */
export async function readStartedIds(): Promise<ReadonlySet<string>> {
  const keys = await withDatabase((database) => database.getAllKeys('imprints'))
  return new Set(keys?.map(([uploadId]) => uploadId))
}

export async function readRecordDigests(uploadId: string): Promise<Map<number, Uint8Array<ArrayBuffer>>> {
  const digests = await withDatabase(async (database) => {
    const store = database.transaction('imprints').store
    const [keys, values] = await Promise.all([store.getAllKeys(chunksOf(uploadId)), store.getAll(chunksOf(uploadId))])
    return new Map(keys.map(([, index], position) => [index, values[position] ?? new Uint8Array()]))
  })
  return digests ?? new Map()
}

/** Reads a whole encrypted file; null where none is stored. */
export const readPastedCiphertext = async (uploadId: string): Promise<Uint8Array<ArrayBuffer> | null> =>
  (await withDatabase((database) => database.get('held', uploadId))) ?? null

export const removeUpload = (transaction: UploadTransaction, uploadId: string): Promise<unknown> =>
  Promise.all([
    transaction.objectStore('uploads').delete(uploadId),
    transaction.objectStore('imprints').delete(chunksOf(uploadId)),
    transaction.objectStore('held').delete(uploadId),
  ])

/** Deletes the persisted uploads of every account. */
export function deleteUploadStore(): Promise<void> {
  closeConnection()
  return deleteDB(databaseName)
}

const chunksOf = (uploadId: string): IDBKeyRange =>
  IDBKeyRange.bound([uploadId, 0], [uploadId, Number.MAX_SAFE_INTEGER])

/** The connection is closed when nothing has used it for this long, so that a hidden page does not hold it. */
const idleMs = 2000

let connection: Promise<IDBPDatabase<Schema> | null> | null = null
let idleTimer: ReturnType<typeof setTimeout> | undefined
let activeOperations = 0

/**
 * Runs an operation on the connection that all operations of this page share. Returns null where the database does not
 * exist and is not created: a sign-out in another tab may have deleted it.
 */
async function withDatabase<Result>(
  operation: (database: IDBPDatabase<Schema>) => Promise<Result>,
  { createsDatabase }: UpdateOptions = { createsDatabase: false },
): Promise<Result | null> {
  clearTimeout(idleTimer)
  activeOperations += 1
  try {
    const database = await getConnection(createsDatabase)
    return database && (await operation(database))
  } finally {
    activeOperations -= 1
    if (activeOperations === 0) idleTimer = setTimeout(closeConnection, idleMs)
  }
}

async function getConnection(createsDatabase: boolean): Promise<IDBPDatabase<Schema> | null> {
  connection ??= openConnection(createsDatabase)
  const opening = connection
  const database = await opening
  if (database) return database
  if (connection === opening) connection = null
  return createsDatabase ? getConnection(true) : null
}

/** Closes the connection once its transactions have ended. */
function closeConnection(): void {
  const closing = connection
  connection = null
  closing?.then(
    (database) => database?.close(),
    () => undefined,
  )
}

const callbacks: OpenDBCallbacks<Schema> = {
  // An open connection must not block the deletion of the database by another page.
  blocking: closeConnection,
  terminated: closeConnection,
  async upgrade(newDatabase, oldVersion, _, transaction) {
    newDatabase.createObjectStore('held')
    if (oldVersion > 0) return migrateFromV1(transaction.objectStore('uploads') as never)
    newDatabase.createObjectStore('uploads', { keyPath: 'uploadId' })
    newDatabase.createObjectStore('imprints')
  },
}

async function openConnection(createsDatabase: boolean): Promise<IDBPDatabase<Schema> | null> {
  try {
    return await (createsDatabase ? openDB : openExistingDatabase)<Schema>(databaseName, 2, callbacks)
  } catch (error) {
    connection = null
    throw error
  }
}

interface UploadStoreV1 {
  getAll(): Promise<StoredUploadV1[]>
  put(entry: StoredUpload): Promise<unknown>
}

async function migrateFromV1(uploads: UploadStoreV1): Promise<void> {
  for (const { userId, begunAt, handle, ...rest } of await uploads.getAll()) {
    const way = handle && { handle, steps: [] }
    await uploads.put({ ...rest, holder: userId, page: null, notedAt: begunAt, way, heldBytes: null })
  }
}
