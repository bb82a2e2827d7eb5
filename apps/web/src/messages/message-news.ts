import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListedMessage } from './listed-message.ts'

export interface MessageNews {
  readonly hearOfNew: (id: string, createdAt: number) => void
  readonly hearOfDeleted: (id: string) => void
  /** Loads the list again after changes may have been missed. */
  readonly refresh: () => Promise<void>
  /** Asks for the newest messages alone, while no changes are announced. */
  readonly poll: () => Promise<void>
}

interface NewsPages<Listed> {
  /** Asks for the messages that were made after a time in epoch milliseconds. */
  readonly listAfter: (after: number) => Promise<readonly Listed[]>
  readonly loadNewest: () => Promise<void>
  readonly remove: (id: string) => void
}

interface MessageNewsParts<Listed> {
  readonly queries: QueryClient
  /** Where the list is kept, oldest first. */
  readonly queryKey: QueryKey
  readonly pages: NewsPages<Listed>
}

/**
 * Keeps the list as the server tells of changes. What has come is asked for by time, so that one message costs one. A
 * fetch that is under way is never cancelled, because changes that come faster than it ends would keep it from ending.
 */
export function createMessageNews<Listed extends ListedMessage>(parts: MessageNewsParts<Listed>): MessageNews {
  const { queries, queryKey, pages } = parts
  /** Announced messages that are not in the list yet, with the times they were made. */
  const missing = new Map<string, number>()
  let isCatchingUp = false
  let isPolling = false

  const current = () => queries.getQueryData<readonly Listed[]>(queryKey)
  const isFetching = () => queries.isFetching({ queryKey }) > 0

  function fetched(): Promise<void> {
    if (!isFetching()) return Promise.resolve()
    return new Promise((resolve) => {
      const unsubscribe = queries.getQueryCache().subscribe(() => {
        if (isFetching()) return
        unsubscribe()
        resolve()
      })
    })
  }

  async function addAfter(after: number): Promise<void> {
    const newer = await pages.listAfter(after)
    queries.setQueryData<readonly Listed[]>(queryKey, (listed) => addToMessages(listed, newer))
  }

  async function refresh(): Promise<void> {
    if (!isFetching()) return queries.invalidateQueries({ queryKey })
    await fetched()
    const newest = current()?.at(-1)?.createdAt
    if (newest !== undefined) await addAfter(newest).catch(() => undefined)
  }

  async function catchUp(): Promise<void> {
    isCatchingUp = true
    try {
      for (;;) {
        await fetched()
        const listed = current()
        for (const { id } of listed ?? []) missing.delete(id)
        // A list that is not loaded is loaded as a whole once it is shown.
        if (!listed) missing.clear()
        if (missing.size === 0) return
        const newest = listed?.at(-1)?.createdAt ?? Number.POSITIVE_INFINITY
        const after = Math.min(newest, ...[...missing.values()].map((createdAt) => createdAt - 1))
        missing.clear()
        await addAfter(after)
      }
    } finally {
      isCatchingUp = false
    }
  }

  return {
    refresh,
    async poll() {
      if (isPolling || isFetching()) return
      if (!current()) return refresh()
      isPolling = true
      await pages.loadNewest().catch(() => undefined)
      isPolling = false
    },
    hearOfNew(id, createdAt) {
      missing.set(id, createdAt)
      if (!isCatchingUp) catchUp().catch(refresh)
    },
    hearOfDeleted(id) {
      missing.delete(id)
      pages.remove(id)
    },
  }
}

/** Puts messages into their places by time; those that are there already are left alone. */
export function addToMessages<Listed extends ListedMessage>(
  listed: readonly Listed[] | undefined,
  added: readonly Listed[],
): readonly Listed[] | undefined {
  const known = new Set(listed?.map(({ id }) => id))
  const unknown = added.filter(({ id }) => !known.has(id))
  if (!listed || unknown.length === 0) return listed
  return [...listed, ...unknown].sort((one, other) => one.createdAt - other.createdAt)
}

export const takeFromMessages = <Listed extends ListedMessage>(
  listed: readonly Listed[] | undefined,
  id: string,
): readonly Listed[] | undefined => listed?.filter((message) => message.id !== id)
