import { ignore } from '@sallyport/contract/ignore'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { MessagePages } from './list/message-pages.ts'
import type { ListedMessage } from './listed-message.ts'

export interface MessageSync {
  readonly onInserted: (id: string, createdAt: number) => void
  readonly onDeleted: (id: string) => void
  /** Loads the list again after changes may have been missed. */
  readonly refresh: () => Promise<void>
  /** Fetches the newest page while the live connection is down. */
  readonly poll: () => Promise<void>
}

interface MessageSyncDeps<Listed extends ListedMessage> {
  readonly queries: QueryClient
  /** The query that caches the list, oldest first. */
  readonly queryKey: QueryKey
  readonly pages: Pick<MessagePages<Listed>, 'add' | 'listAfter' | 'loadNewest' | 'remove'>
}

/**
 * Keeps the list in sync with live events. New messages are fetched by time, so that one message costs one request. A
 * running fetch is never cancelled, because frequent events would keep it from ever completing.
 */
export function createMessageSync<Listed extends ListedMessage>(deps: MessageSyncDeps<Listed>): MessageSync {
  const { queries, queryKey, pages } = deps
  /** Announced messages that are not in the list yet, with their creation times. */
  const announced = new Map<string, number>()
  let isCatchingUp = false
  let isPolling = false

  const current = () => queries.getQueryData<readonly Listed[]>(queryKey)
  const isFetching = () => queries.isFetching({ queryKey }) > 0

  function untilFetched(): Promise<void> {
    if (!isFetching()) return Promise.resolve()
    return new Promise((resolve) => {
      const unsubscribe = queries.getQueryCache().subscribe(() => {
        if (isFetching()) return
        unsubscribe()
        resolve()
      })
    })
  }

  const addAfter = async (after: number) => pages.add(await pages.listAfter(after))

  async function refresh(): Promise<void> {
    if (!isFetching()) return queries.invalidateQueries({ queryKey })
    await untilFetched()
    const newest = current()?.at(-1)?.createdAt
    if (newest !== undefined) await addAfter(newest).catch((error) => ignore(error, 'the next event or poll loads it'))
  }

  async function catchUp(): Promise<void> {
    isCatchingUp = true
    try {
      for (;;) {
        await untilFetched()
        const listed = current()
        for (const { id } of listed ?? []) announced.delete(id)
        // A list that is not loaded yet is fetched completely once it is shown.
        if (!listed) announced.clear()
        if (announced.size === 0) return
        const newest = listed?.at(-1)?.createdAt ?? Number.POSITIVE_INFINITY
        const after = Math.min(newest, ...[...announced.values()].map((createdAt) => createdAt - 1))
        announced.clear()
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
      await pages.loadNewest().catch((error) => ignore(error, 'the next poll loads it'))
      isPolling = false
    },
    onInserted(id, createdAt) {
      announced.set(id, createdAt)
      if (!isCatchingUp) catchUp().catch(refresh)
    },
    onDeleted(id) {
      announced.delete(id)
      pages.remove(id)
    },
  }
}
