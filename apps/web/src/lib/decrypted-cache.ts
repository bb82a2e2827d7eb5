import { createSubject, type Observable } from '@sallyport/client/observable'

/** Decrypted items by id. */
export interface DecryptedCache<Item, Decrypted> extends Observable<ReadonlyMap<string, Decrypted>> {
  /** Decrypts items that are not decrypted yet, the first ones first, and drops all others from the cache. */
  decrypt(listed: readonly Item[]): void
  /** Changes with `current`, which copies all entries. */
  version(): number
  /** What was decrypted from this item; undefined for another item under the same id. */
  get(item: Item): Decrypted | undefined
  /** Adds an item that this page has just encrypted itself. */
  add(item: Item, decrypted: Decrypted): void
}

interface DecryptedCacheInput<Item, Decrypted> {
  /** Must not reject. */
  readonly decryptOne: (item: Item) => Promise<Decrypted>
  /** What is known of an item without decrypting it. Called once for each item. */
  readonly takeKnown?: (item: Item) => Decrypted | undefined
  /** Compares the encrypted content, where a later list may contain another item under the same id. */
  readonly isSameContent: (one: Item, other: Item) => boolean
}

interface CacheEntry<Item, Decrypted> {
  readonly item: Item
  readonly decrypted: Decrypted
}

/** Items decrypted at once; more would block the page. */
const batchSize = 24
/** Listeners walk through all entries, so a long list is published when it has grown by this share. */
const publishedGrowth = 1 / 4

/** Decrypts listed items in small batches, each once. */
export function createDecryptedCache<Item extends { readonly id: string }, Decrypted>({
  decryptOne,
  takeKnown = () => undefined,
  isSameContent,
}: DecryptedCacheInput<Item, Decrypted>): DecryptedCache<Item, Decrypted> {
  const version = createSubject(0)
  const entries = new Map<string, CacheEntry<Item, Decrypted>>()
  let published: ReadonlyMap<string, Decrypted> | null = null
  let queued: readonly Item[] = []
  let position = 0
  let isDecrypting = false

  function publish(): void {
    published = null
    version.set(version.current() + 1)
  }

  function entryOf(item: Item): CacheEntry<Item, Decrypted> | undefined {
    const entry = entries.get(item.id)
    return entry && (entry.item === item || isSameContent(entry.item, item)) ? entry : undefined
  }

  function takeBatch(): readonly Item[] {
    const batch: Item[] = []
    while (batch.length < batchSize && position < queued.length) {
      const item = queued[position]
      position += 1
      if (item && !entryOf(item)) batch.push(item)
    }
    return batch
  }

  async function decryptQueued(): Promise<void> {
    isDecrypting = true
    let unpublished = 0
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
      const decrypted = await Promise.all(batch.map(async (item) => ({ item, decrypted: await decryptOne(item) })))
      for (const entry of decrypted) entries.set(entry.item.id, entry)
      unpublished += batch.length
      if (unpublished < entries.size * publishedGrowth) continue
      publish()
      unpublished = 0
    }
    if (unpublished > 0) publish()
    isDecrypting = false
  }

  return {
    current() {
      published ??= new Map([...entries].map(([id, { decrypted }]) => [id, decrypted]))
      return published
    },
    version: version.current,
    subscribe: version.subscribe,
    get: (item) => entryOf(item)?.decrypted,
    add(item, decrypted) {
      entries.set(item.id, { item, decrypted })
      publish()
    },
    decrypt(listed) {
      const unknown: Item[] = []
      let isChanged = false
      for (const item of listed) {
        if (entryOf(item)) continue
        const decrypted = takeKnown(item)
        if (entries.delete(item.id) || decrypted !== undefined) isChanged = true
        if (decrypted === undefined) unknown.push(item)
        else entries.set(item.id, { item, decrypted })
      }
      if (entries.size > listed.length - unknown.length) {
        const listedIds = new Set(listed.map(({ id }) => id))
        for (const id of entries.keys()) if (!listedIds.has(id)) entries.delete(id)
        isChanged = true
      }
      if (isChanged) publish()
      queued = unknown
      position = 0
      if (!isDecrypting) void decryptQueued()
    },
  }
}
