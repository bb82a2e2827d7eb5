import { createSubject, type Observable } from '@sallyport/client/observable'
import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { ListedMessage } from './listed-message.ts'
import { addToMessages } from './message-news.ts'

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
  const loaded = () => queries.getQueryData<readonly Listed[]>(queryKey)

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
    return messages
  }

  async function loadOlder(): Promise<void> {
    const oldest = loaded()?.[0]?.createdAt
    if (older.current() === 'loading' || older.current() === 'none') return
    older.set('loading')
    try {
      const messages = await loadBefore(oldest)
      queries.setQueryData<readonly Listed[]>(queryKey, (listed) => addToMessages(listed, messages))
    } catch {
      older.set('failed')
    }
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

    /** The messages made after a time, however many pages they fill. */
    async listAfter(after: number): Promise<readonly Listed[]> {
      const messages: Listed[] = []
      for (let cursor: number | null = after; cursor !== null; ) {
        const page: MessagePage<Listed> = await load({ after: cursor })
        messages.push(...page.messages)
        const newest: number = page.messages.at(-1)?.createdAt ?? 0
        cursor = page.next !== null && newest > cursor ? newest : null
      }
      return messages
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
