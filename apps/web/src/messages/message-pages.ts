import { createSubject, type Observable } from '@sallyport/client/observable'
import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { ListedMessage } from './listed-message.ts'
import { addToMessages, takeFromMessages } from './message-news.ts'
import { createRemovedMessages } from './removed-messages.ts'

interface MessagePage<Listed> {
  /** Oldest first. */
  readonly messages: readonly Listed[]
  readonly before: number | null
  readonly next: number | null
}

/** Times in epoch milliseconds; the newest page without one. */
interface PageCursor {
  readonly before?: number
  readonly after?: number
}

export type LoadPage<Listed> = (cursor: PageCursor, signal?: AbortSignal) => Promise<MessagePage<Listed>>

/** Whether there are messages older than those that are loaded; `failed` when the last attempt to load them was in vain. */
export type OlderMessagesState = 'none' | 'more' | 'loading' | 'failed'

interface MessagePagesInput<Listed> {
  readonly queries: QueryClient
  /** Where the loaded messages are cached, oldest first. */
  readonly queryKey: QueryKey
  readonly load: LoadPage<Listed>
}

export type MessagePages<Listed extends ListedMessage> = ReturnType<typeof createMessagePages<Listed>>

/** Loads a conversation page by page: the newest first, older ones on demand. */
export function createMessagePages<Listed extends ListedMessage>({
  queries,
  queryKey,
  load,
}: MessagePagesInput<Listed>) {
  const older = createSubject<OlderMessagesState>('none')
  const removed = createRemovedMessages()
  const loaded = () => queries.getQueryData<readonly Listed[]>(queryKey)
  const change = (to: (listed: readonly Listed[] | undefined) => readonly Listed[] | undefined) =>
    queries.setQueryData<readonly Listed[]>(queryKey, to)

  /** Only what is older: an answer that does not lead on ends the list instead of asking for ever. */
  async function loadBefore(before: number | undefined, signal?: AbortSignal): Promise<readonly Listed[]> {
    const page = await load(before === undefined ? {} : { before }, signal)
    const messages = page.messages.filter(({ createdAt }) => before === undefined || createdAt < before)
    older.set(page.before === null || messages.length === 0 ? 'none' : 'more')
    return messages
  }

  /** The newest page, and as far back as messages were loaded already. */
  async function reload(signal: AbortSignal): Promise<readonly Listed[]> {
    const oldestLoaded = loaded()?.[0]?.createdAt ?? Number.POSITIVE_INFINITY
    let messages = await loadBefore(undefined, signal)
    while (older.current() === 'more' && (messages[0]?.createdAt ?? 0) > oldestLoaded) {
      messages = [...(await loadBefore(messages[0]?.createdAt, signal)), ...messages]
    }
    return removed.without(messages)
  }

  async function loadOlder(): Promise<void> {
    const oldest = loaded()?.[0]?.createdAt
    if (older.current() === 'loading' || older.current() === 'none') return
    older.set('loading')
    const clearings = removed.clearings()
    try {
      const messages = await loadBefore(oldest)
      if (clearings !== removed.clearings()) return older.set('none')
      change((listed) => addToMessages(listed, removed.without(messages)))
    } catch {
      older.set(clearings === removed.clearings() ? 'failed' : 'none')
    }
  }

  /** Adds what the newest page has, and takes away what it would have if it were not deleted. */
  async function loadNewest(): Promise<void> {
    const known = loaded() ?? []
    const { messages, before } = await load({})
    const first = messages[0]?.createdAt ?? Number.NEGATIVE_INFINITY
    const newest = known.at(-1)?.createdAt ?? Number.NEGATIVE_INFINITY
    const isGap = before !== null && first > newest
    const there = new Set(messages.map(({ id }) => id))
    const isDeleted = ({ id, createdAt }: Listed) => (before === null || createdAt > first) && !there.has(id)
    const deleted = new Set(known.filter(isDeleted))
    if (deleted.size > 0) change((listed) => listed?.filter((message) => !deleted.has(message)))
    const newer = isGap ? await listAfter(newest) : messages
    change((listed) => addToMessages(listed, removed.without(newer)))
  }

  /** The messages made after a time, however many pages they fill. */
  async function listAfter(after: number): Promise<readonly Listed[]> {
    const messages: Listed[] = []
    for (let cursor: number | null = after; cursor !== null; ) {
      const page: MessagePage<Listed> = await load({ after: cursor })
      messages.push(...page.messages)
      const newest: number = page.messages.at(-1)?.createdAt ?? 0
      cursor = page.next !== null && newest > cursor ? newest : null
    }
    return removed.without(messages)
  }

  function remove(id: string): void {
    removed.add(id)
    change((listed) => takeFromMessages(listed, id))
  }

  const state: Observable<OlderMessagesState> = older
  return {
    older: state,
    loadOlder,
    query: queryOptions({ queryKey, queryFn: ({ signal }) => reload(signal) }),

    /** Loads all that is older. Rejects when some of it cannot be loaded. */
    async loadAll(): Promise<readonly Listed[]> {
      while (older.current() !== 'none') {
        if (older.current() === 'loading') await changeOf(older)
        else await loadOlder()
        if (older.current() === 'failed') throw new Error('Older messages could not be loaded')
      }
      return loaded() ?? []
    },

    listAfter,
    loadNewest,
    /** Takes a deleted message away; no answer that is under way brings it back. */
    remove,

    /** The same for all messages, those that are not loaded among them. */
    removeAll(): void {
      removed.addAll(loaded() ?? [])
      older.set('none')
      change(() => [])
    },

    /** Puts back what the server did not delete. The list is loaded again afterwards, with what is older. */
    restore(messages: readonly Listed[]): void {
      removed.restore(messages)
      change((listed) => addToMessages(listed, messages))
    },
  }
}

function changeOf(observable: Observable<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = observable.subscribe(() => {
      unsubscribe()
      resolve()
    })
  })
}
