import type { KeptUpload } from '@sallyport/client/upload/journal'
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb'

/** An upload as this browser keeps it: what the server has too, and the way to the file where there is one. */
export interface KeptEntry extends KeptUpload {
  readonly userId: string
  /** Epoch milliseconds. */
  readonly begunAt: number
  readonly handle: FileSystemFileHandle | null
}

interface Schema extends DBSchema {
  uploads: { key: string; value: KeptEntry }
  imprints: { key: [uploadId: string, chunkIndex: number]; value: Uint8Array<ArrayBuffer> }
}

const databaseName = 'sallyport-uploads'

export const putKept = (entry: KeptEntry): Promise<unknown> => within((database) => database.put('uploads', entry))

/** None, without a database being made for it, where nothing was ever kept. */
export async function readKept(userId: string): Promise<KeptEntry[]> {
  const known = await indexedDB.databases()
  if (!known.some(({ name }) => name === databaseName)) return []
  const entries = await within((database) => database.getAll('uploads'))
  return entries.filter((entry) => entry.userId === userId)
}

/** Does nothing for an upload that is not kept any more. */
export async function putImprints(uploadId: string, chunkIndex: number, made: Uint8Array<ArrayBuffer>): Promise<void> {
  await within(async (database) => {
    const step = database.transaction(['uploads', 'imprints'], 'readwrite')
    const entry = await step.objectStore('uploads').getKey(uploadId)
    if (entry !== undefined) await step.objectStore('imprints').put(made, [uploadId, chunkIndex])
    await step.done
  })
}

export async function readImprints(uploadId: string): Promise<Map<number, Uint8Array<ArrayBuffer>>> {
  return within(async (database) => {
    const store = database.transaction('imprints').store
    const [keys, values] = await Promise.all([store.getAllKeys(chunksOf(uploadId)), store.getAll(chunksOf(uploadId))])
    return new Map(keys.map(([, index], place) => [index, values[place] ?? new Uint8Array()]))
  })
}

export async function removeKept(uploadId: string): Promise<void> {
  await within(async (database) => {
    const step = database.transaction(['uploads', 'imprints'], 'readwrite')
    await Promise.all([
      step.objectStore('uploads').delete(uploadId),
      step.objectStore('imprints').delete(chunksOf(uploadId)),
      step.done,
    ])
  })
}

/** Removes what any account has left here. */
export const forgetKeptUploads = (): Promise<void> => deleteDB(databaseName)

const chunksOf = (uploadId: string): IDBKeyRange =>
  IDBKeyRange.bound([uploadId, 0], [uploadId, Number.MAX_SAFE_INTEGER])

/** Opens the database for a single step, so that nothing keeps it from being removed. */
async function within<Result>(step: (database: IDBPDatabase<Schema>) => Promise<Result>): Promise<Result> {
  const database = await openDB<Schema>(databaseName, 1, {
    upgrade(fresh) {
      fresh.createObjectStore('uploads', { keyPath: 'uploadId' })
      fresh.createObjectStore('imprints')
    },
  })
  try {
    return await step(database)
  } finally {
    database.close()
  }
}
