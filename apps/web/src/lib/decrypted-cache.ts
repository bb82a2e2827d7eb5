import { createSubject, type Observable } from '@sallyport/client/observable'

/** Decrypted items by id. */
export interface DecryptedCache<Item, Decrypted> extends Observable<ReadonlyMap<string, Decrypted>> {
  /** Decrypts items that are not decrypted yet, the first ones first, and drops all others from the cache. */
  decrypt(listed: readonly Item[]): void
  /** What was decrypted from this item; undefined for another item under the same id. */
  get(item: Item): Decrypted | undefined
  /** Adds an item that this page has just encrypted itself. */
  add(item: Item, decrypted: Decrypted): void
}

interface DecryptedCacheInput<Item, Decrypted> {
  /** Must not reject. */
  readonly decryptOne: (item: Item) => Promise<Decrypted>
  /** Identifies the encrypted content, where a later list may contain another item under the same id. */
  readonly sourceOf: (item: Item) => string
}

/** Items decrypted at once; more would block the page. */
const batchSize = 24

/** Decrypts listed items in small batches, each once. */
export function createDecryptedCache<Item extends { readonly id: string }, Decrypted>({
  decryptOne,
  sourceOf,
}: DecryptedCacheInput<Item, Decrypted>): DecryptedCache<Item, Decrypted> {
  const cached = createSubject<ReadonlyMap<string, Decrypted>>(new Map())
  const sources = new Map<string, string>()
  let queued: readonly Item[] = []
  let isDecrypting = false

  function store(added: readonly (readonly [Item, Decrypted])[]): void {
    for (const [item] of added) sources.set(item.id, sourceOf(item))
    cached.set(new Map([...cached.current(), ...added.map(([{ id }, decrypted]) => [id, decrypted] as const)]))
  }

  async function decryptQueued(): Promise<void> {
    isDecrypting = true
    while (queued.length > 0) {
      const batch = queued.slice(0, batchSize)
      const decrypted = await Promise.all(batch.map(async (item) => [item, await decryptOne(item)] as const))
      queued = queued.filter((item) => !batch.includes(item))
      store(decrypted)
    }
    isDecrypting = false
  }

  return {
    current: cached.current,
    subscribe: cached.subscribe,
    get: (item) => (sources.get(item.id) === sourceOf(item) ? cached.current().get(item.id) : undefined),
    add: (item, decrypted) => store([[item, decrypted]]),
    decrypt(listed) {
      const listedSources = new Map(listed.map((item) => [item.id, sourceOf(item)]))
      const before = cached.current()
      const remaining = new Map([...before].filter(([id]) => listedSources.get(id) === sources.get(id)))
      if (remaining.size < before.size) cached.set(remaining)
      queued = listed.filter(({ id }) => !remaining.has(id))
      if (!isDecrypting && queued.length > 0) void decryptQueued()
    },
  }
}
