import type { ArrivalNote, DepartureNote, KeptBlock } from '@sallyport/client/portal/fast/transfer-notes'
import type { KeptPlace } from '@sallyport/client/portal/portal'
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb'
import { clearArrivingFiles } from '#/transfers/arriving-files.ts'

/** A seat in a portal as this browser keeps it. */
export interface StoredPlace extends KeptPlace {
  readonly id: string
  /** Epoch milliseconds of the last time this device was there. */
  readonly at: number
}

export interface StoredArrival extends ArrivalNote {
  readonly finished: readonly number[]
}

export interface StoredDeparture extends DepartureNote {
  /** The way to each file, where there is one. */
  readonly handles: readonly (FileSystemFileHandle | null)[]
}

export interface StoredProgress {
  readonly tid: string
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly at: number
}

interface Schema extends DBSchema {
  places: { key: string; value: StoredPlace }
  arrivals: { key: string; value: StoredArrival }
  departures: { key: string; value: StoredDeparture }
  progress: { key: string; value: StoredProgress }
  blocks: { key: [tid: string, f: number, block: number]; value: string }
}

const databaseName = 'sallyport-portals'
const records = ['arrivals', 'departures', 'progress'] as const

export const putPlace = (place: StoredPlace): Promise<unknown> => within((database) => database.put('places', place))
export const removePlace = (id: string): Promise<unknown> => within((database) => database.delete('places', id))
export const putArrival = (note: ArrivalNote): Promise<unknown> =>
  within((database) => database.put('arrivals', { ...note, finished: [] }))
export const putDeparture = (note: StoredDeparture): Promise<unknown> =>
  within((database) => database.put('departures', note))
export const putProgress = (progress: StoredProgress): Promise<unknown> =>
  within((database) => database.put('progress', progress))

export async function putBlocks(tid: string, blocks: readonly KeptBlock[]): Promise<void> {
  await within(async (database) => {
    const step = database.transaction(['arrivals', 'blocks'], 'readwrite')
    // Nothing is written down any more of a transfer that was thrown away.
    if ((await step.objectStore('arrivals').getKey(tid)) !== undefined) {
      const store = step.objectStore('blocks')
      await Promise.all(blocks.map(({ f, block, digest }) => store.put(digest, [tid, f, block])))
    }
    await step.done
  })
}

export async function putFinished(tid: string, f: number): Promise<void> {
  await within(async (database) => {
    const step = database.transaction('arrivals', 'readwrite')
    const found = await step.store.get(tid)
    if (found) await step.store.put({ ...found, finished: [...found.finished, f] })
    await step.done
  })
}

export async function readArrival(
  tid: string,
): Promise<{ note: StoredArrival; blocks: KeptBlock[]; finished: readonly number[] } | null> {
  return within(async (database) => {
    const note = await database.get('arrivals', tid)
    if (!note) return null
    const [keys, values] = await Promise.all([
      database.getAllKeys('blocks', blocksOf(tid)),
      database.getAll('blocks', blocksOf(tid)),
    ])
    const blocks = keys.map(([, f, block], place) => ({ f, block, digest: values[place] ?? '' }))
    return { note, blocks, finished: note.finished }
  })
}

/** Removes all that is noted of a transfer. */
export async function removeTransfer(tid: string): Promise<void> {
  await within(async (database) => {
    const step = database.transaction(['arrivals', 'departures', 'progress', 'blocks'], 'readwrite')
    await Promise.all([
      ...records.map((name) => step.objectStore(name).delete(tid)),
      step.objectStore('blocks').delete(blocksOf(tid)),
      step.done,
    ])
  })
}

/** All that is noted; empty, without a database being made for it, where nothing ever was. */
export async function readAll(): Promise<{
  readonly places: readonly StoredPlace[]
  readonly arrivals: readonly StoredArrival[]
  readonly departures: readonly StoredDeparture[]
  readonly progress: readonly StoredProgress[]
}> {
  const known = await indexedDB.databases()
  if (!known.some(({ name }) => name === databaseName))
    return { places: [], arrivals: [], departures: [], progress: [] }
  return within(async (database) => {
    const all = ['places', 'arrivals', 'departures', 'progress'] as const
    const [places, arrivals, departures, progress] = await Promise.all([
      database.getAll(all[0]),
      database.getAll(all[1]),
      database.getAll(all[2]),
      database.getAll(all[3]),
    ])
    return { places, arrivals, departures, progress }
  })
}

/** Removes what anybody has left here, with the bytes that had arrived. */
export async function forgetPortals(): Promise<void> {
  await Promise.all([deleteDB(databaseName), clearArrivingFiles({ all: true })])
}

const blocksOf = (tid: string): IDBKeyRange =>
  IDBKeyRange.bound([tid, 0, 0], [tid, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])

/** Opens the database for a single step, so that nothing keeps it from being removed. */
async function within<Result>(step: (database: IDBPDatabase<Schema>) => Promise<Result>): Promise<Result> {
  const database = await openDB<Schema>(databaseName, 1, {
    upgrade(fresh) {
      fresh.createObjectStore('places', { keyPath: 'id' })
      for (const name of records) fresh.createObjectStore(name, { keyPath: 'tid' })
      fresh.createObjectStore('blocks')
    },
  })
  try {
    return await step(database)
  } finally {
    database.close()
  }
}
