import { createSubject, type Observable, waitUntil } from '@sallyport/client/observable'
import { ignore } from '@sallyport/contract/ignore'
import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import { checkListed } from '#/lib/check-listed.ts'
import type { ListedMessage } from '../listed-message.ts'
import { createRemovedMessages } from '../removed-messages.ts'

interface MessagePage<Listed> {
  /** Oldest first. */
  readonly messages: readonly Listed[]
  readonly before: number | null
  readonly next: number | null
}

/** Times in epoch milliseconds. An empty cursor requests the newest page. */
interface PageCursor {
  readonly before?: number
  readonly after?: number
}

export type LoadPage<Listed> = (cursor: PageCursor, signal?: AbortSignal) => Promise<MessagePage<Listed>>

/** Whether there are messages older than the loaded ones; `failed` after a failed attempt to load them. */
export type OlderMessagesState = 'none' | 'more' | 'loading' | 'failed'

interface MessagePagesInput<Listed> {
  readonly queries: QueryClient
  /** The query that caches the loaded messages, oldest first. */
  readonly queryKey: QueryKey
  readonly load: LoadPage<Listed>
}

export type MessagePages<Listed extends ListedMessage> = ReturnType<typeof createMessagePages<Listed>>

/** Loads a conversation page by page: the newest first, older ones on demand. */
export function createMessagePages<Listed extends ListedMessage>({
  queries,
  queryKey,
  load: loadPage,
}: MessagePagesInput<Listed>) {
  const older = createSubject<OlderMessagesState>('none')
  const removed = createRemovedMessages()
  /** What the server lists has been created before now and has not expired. */
  async function load(cursor: PageCursor, signal?: AbortSignal): Promise<MessagePage<Listed>> {
    const page = await loadPage(cursor, signal)
    checkListed(page.messages)
    return page
  }

  const loaded = () => queries.getQueryData<readonly Listed[]>(queryKey)
  const updateList = (update: (listed: readonly Listed[] | undefined) => readonly Listed[] | undefined) =>
    queries.setQueryData<readonly Listed[]>(queryKey, update)

  /** Accepts older messages only. A page that makes no progress ends the list, which prevents endless requests. */
  async function loadBefore(before: number | undefined, signal?: AbortSignal): Promise<readonly Listed[]> {
    const page = await load(before === undefined ? {} : { before }, signal)
    const messages = page.messages.filter(({ createdAt }) => before === undefined || createdAt < before)
    older.set(page.before === null || messages.length === 0 ? 'none' : 'more')
    return messages
  }

  /** Loads the newest page and further pages back to the oldest message that was loaded before. */
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
    const clearCount = removed.clearCount()
    try {
      const messages = await loadBefore(oldest)
      if (clearCount !== removed.clearCount()) return older.set('none')
      add(removed.without(messages))
    } catch (error) {
      ignore(error, 'the list offers a retry')
      older.set(clearCount === removed.clearCount() ? 'failed' : 'none')
    }
  }

  /** Adds the messages of the newest page, and removes loaded messages that are missing from it. */
  async function loadNewest(): Promise<void> {
    const loadedBefore = loaded() ?? []
    const { messages, before } = await load({})
    const first = messages[0]?.createdAt ?? Number.NEGATIVE_INFINITY
    const newest = loadedBefore.at(-1)?.createdAt ?? Number.NEGATIVE_INFINITY
    const isGap = before !== null && first > newest
    const newestIds = new Set(messages.map(({ id }) => id))
    const isDeleted = ({ id, createdAt }: Listed) => (before === null || createdAt > first) && !newestIds.has(id)
    const deleted = new Set(loadedBefore.filter(isDeleted))
    if (deleted.size > 0) updateList((listed) => listed?.filter((message) => !deleted.has(message)))
    const newer = isGap ? await listAfter(newest) : messages
    add(removed.without(newer))
  }

  /** Lists the messages created after a time, over all pages. */
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

  function add(messages: readonly Listed[]): void {
    checkListed(messages)
    updateList((listed) => addToMessages(listed, messages))
  }

  return {
    older: older as Observable<OlderMessagesState>,
    loadOlder,
    query: queryOptions({ queryKey, queryFn: ({ signal }) => reload(signal) }),

    /** Loads all older messages. Rejects when a page cannot be loaded. */
    async loadAll(): Promise<readonly Listed[]> {
      while (older.current() !== 'none') {
        if (older.current() === 'loading') await waitUntil(older, () => older.current() !== 'loading')
        else await loadOlder()
        if (older.current() === 'failed') throw new Error('Older messages could not be loaded')
      }
      return loaded() ?? []
    },

    listAfter,
    loadNewest,
    /** Adds messages that were stored since; listed ones are left unchanged. */
    add,
    /** Removes a deleted message; responses to running requests do not restore it. */
    remove(id: string): void {
      removed.add(id)
      updateList((listed) => listed?.filter((message) => message.id !== id))
    },

    /** Removes all messages, including those that are not loaded. */
    removeAll(): void {
      removed.addAll(loaded() ?? [])
      older.set('none')
      updateList(() => [])
    },

    /** Restores messages that the server failed to delete. The list is reloaded afterwards. */
    restore(messages: readonly Listed[]): void {
      removed.restore(messages)
      add(messages)
    },
  }
}

/** Inserts messages by time; existing ones are left unchanged. */
function addToMessages<Listed extends ListedMessage>(
  listed: readonly Listed[] | undefined,
  added: readonly Listed[],
): readonly Listed[] | undefined {
  const knownIds = new Set(listed?.map(({ id }) => id))
  const newMessages = added.filter(({ id }) => !knownIds.has(id))
  if (!listed || newMessages.length === 0) return listed
  return [...listed, ...newMessages].sort((one, other) => one.createdAt - other.createdAt)
}
