import type { Page } from '@playwright/test'

interface PersistedCounts {
  /** Database entries about transfers, and about rooms for re-pairing. */
  readonly transfers: number
  readonly rooms: number
  /** Partially received files. */
  readonly files: number
}

export const countPersisted = (page: Page): Promise<PersistedCounts> =>
  page.evaluate(async () => {
    const request = indexedDB.open('sallyport-portals')
    const database = await new Promise<IDBDatabase>((resolve) => {
      request.onsuccess = () => resolve(request.result)
    })
    const countIn = (name: string) =>
      new Promise<number>((resolve) => {
        const count = database.transaction(name).objectStore(name).count()
        count.onsuccess = () => resolve(count.result)
      })
    const rooms = await countIn('places')
    let transfers = 0
    for (const name of database.objectStoreNames) if (name !== 'places') transfers += await countIn(name)
    database.close()
    const partialFiles: string[] = []
    for await (const name of (await navigator.storage.getDirectory()).keys())
      if (name.startsWith('arriving-')) partialFiles.push(name)
    return { transfers, rooms, files: partialFiles.length }
  })
