import type { KeptUpload } from '@sallyport/client/upload/journal'
import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import type { WayToFile } from '#/ui/file-handles.ts'

/** An upload as this browser keeps it: what the server has too, and the way to the file where there is one. */
export interface KeptEntry extends KeptUpload {
  /** Whose key opens it: the id of an account, or of a session behind `session:`. */
  readonly holder: string
  /** The page that has it in hand; null for none. */
  readonly page: string | null
  /** Epoch milliseconds. */
  readonly notedAt: number
  readonly way: WayToFile | null
  /** For what was pasted: plain bytes that lie here, sealed; 0 where it was too much. Null for what is on a disk. */
  readonly heldBytes: number | null
}

interface Schema extends DBSchema {
  uploads: { key: string; value: KeptEntry }
  imprints: { key: [uploadId: string, chunkIndex: number]; value: Uint8Array<ArrayBuffer> }
  /** Whole sealed files. */
  held: { key: string; value: Uint8Array<ArrayBuffer> }
}

/** As entries were before uploads of sessions were among them. */
interface EarlierEntry extends KeptUpload {
  readonly userId: string
  readonly begunAt: number
  readonly handle: FileSystemFileHandle | null
}

const databaseName = 'sallyport-uploads'
const stores = ['uploads', 'imprints', 'held'] as const

export type KeptStep = IDBPTransaction<Schema, ('uploads' | 'imprints' | 'held')[], 'readwrite'>

/** What is read and written in one transaction; all of it or nothing. */
export const changeKept = <Result>(change: (step: KeptStep) => Promise<Result>): Promise<Result> =>
  within(async (database) => {
    const step = database.transaction([...stores], 'readwrite')
    const [result] = await Promise.all([change(step), step.done])
    return result
  })

/** What is kept, of whomever; nothing, without a database being made for it, where nothing ever was. */
export async function readKept(): Promise<KeptEntry[]> {
  const known = await indexedDB.databases()
  if (!known.some(({ name }) => name === databaseName)) return []
  return within((database) => database.getAll('uploads'))
}

/** The uploads of which something was ever sealed. */
export const readBegun = (): Promise<ReadonlySet<string>> =>
  within(async (database) => new Set((await database.getAllKeys('imprints')).map(([uploadId]) => uploadId)))

export const readImprints = (uploadId: string): Promise<Map<number, Uint8Array<ArrayBuffer>>> =>
  within(async (database) => {
    const store = database.transaction('imprints').store
    const [keys, values] = await Promise.all([store.getAllKeys(chunksOf(uploadId)), store.getAll(chunksOf(uploadId))])
    return new Map(keys.map(([, index], place) => [index, values[place] ?? new Uint8Array()]))
  })

/** A whole sealed file; null where it is not held here. */
export const readHeld = async (uploadId: string): Promise<Uint8Array<ArrayBuffer> | null> =>
  (await within((database) => database.get('held', uploadId))) ?? null

export const removeIn = (step: KeptStep, uploadId: string): Promise<unknown> =>
  Promise.all([
    step.objectStore('uploads').delete(uploadId),
    step.objectStore('imprints').delete(chunksOf(uploadId)),
    step.objectStore('held').delete(uploadId),
  ])

/** Removes what any account has left here. */
export const forgetKeptUploads = (): Promise<void> => deleteDB(databaseName)

const chunksOf = (uploadId: string): IDBKeyRange =>
  IDBKeyRange.bound([uploadId, 0], [uploadId, Number.MAX_SAFE_INTEGER])

/** Opens the database for a single step, so that nothing keeps it from being removed. */
async function within<Result>(step: (database: IDBPDatabase<Schema>) => Promise<Result>): Promise<Result> {
  const database = await openDB<Schema>(databaseName, 2, {
    async upgrade(fresh, oldVersion, _, change) {
      fresh.createObjectStore('held')
      if (oldVersion > 0) return bringForward(change.objectStore('uploads') as never)
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

interface EarlierStore {
  getAll(): Promise<EarlierEntry[]>
  put(entry: KeptEntry): Promise<unknown>
}

async function bringForward(uploads: EarlierStore): Promise<void> {
  for (const { userId, begunAt, handle, ...kept } of await uploads.getAll()) {
    const way = handle && { handle, steps: [] }
    await uploads.put({ ...kept, holder: userId, page: null, notedAt: begunAt, way, heldBytes: null })
  }
}
