import type { Clock } from '@sallyport/client/clock'
import type { Observable } from '@sallyport/client/observable'

interface QueueItems<Item> extends Observable<readonly Item[]> {
  get(id: string): Item | undefined
  /** Appends items, or replaces those with the same ids in place. */
  set(...changed: readonly Item[]): void
  /** Moves an item to the end and replaces it. */
  append(item: Item): void
  delete(id: string): void
}

interface QueueItemsInput {
  readonly clock: Clock
  /**
   * Listeners are notified at once, then at most once per interval; `current` is always up to date. The interval of a
   * long list is longer, because listeners walk through all of it.
   */
  readonly notifyEveryMs: number
}

const notifyMsPerItem = 0.1

/** An ordered list of items that may change many times a second. */
export function createQueueItems<Item extends { readonly id: string }>({
  clock,
  notifyEveryMs,
}: QueueItemsInput): QueueItems<Item> {
  const items = new Map<string, Item>()
  const listeners = new Set<() => void>()
  let snapshot: readonly Item[] | null = null
  let notifiedAt = Number.NEGATIVE_INFINITY
  let isNotifyPending = false

  function notify(): void {
    notifiedAt = clock.now()
    for (const listener of [...listeners]) listener()
  }

  function handleChange(): void {
    snapshot = null
    if (isNotifyPending) return
    const waitMs = notifiedAt + Math.max(notifyEveryMs, notifyMsPerItem * items.size) - clock.now()
    if (waitMs <= 0) {
      notify()
      return
    }
    isNotifyPending = true
    void clock.wait(waitMs).then(() => {
      isNotifyPending = false
      notify()
    })
  }

  return {
    current() {
      snapshot ??= [...items.values()]
      return snapshot
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get: (id) => items.get(id),
    set(...changed) {
      for (const item of changed) items.set(item.id, item)
      handleChange()
    },
    append(item) {
      items.delete(item.id)
      items.set(item.id, item)
      handleChange()
    },
    delete(id) {
      if (items.delete(id)) handleChange()
    },
  }
}
