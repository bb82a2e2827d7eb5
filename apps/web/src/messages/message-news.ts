import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListedMessage } from './listed-message.ts'

export interface MessageNews {
  readonly hearOfNew: (id: string, createdAt: number) => void
  readonly hearOfDeleted: (id: string) => void
  /** Asks for the whole list anew, if anybody looks at it. */
  readonly refresh: () => Promise<void>
}

interface Parts<Listed> {
  readonly queries: QueryClient
  /** Where the list is kept, oldest first. */
  readonly queryKey: QueryKey
  /** Asks for the messages that were made after a time in epoch milliseconds. */
  readonly listAfter: (after: number) => Promise<readonly Listed[]>
}

/** Keeps the list as the server tells of changes. What has come is asked for by time, so that one message costs one. */
export function createMessageNews<Listed extends ListedMessage>(parts: Parts<Listed>): MessageNews {
  const { queries, queryKey, listAfter } = parts
  const gone = new Set<string>()
  let oldestMissing = Number.POSITIVE_INFINITY
  let isCatchingUp = false

  const current = () => queries.getQueryData<readonly Listed[]>(queryKey)
  const change = (to: (listed: readonly Listed[] | undefined) => readonly Listed[] | undefined) =>
    queries.setQueryData<readonly Listed[]>(queryKey, to)

  /** An answer that is on its way may be older than what was just heard, and would undo it. */
  async function refresh(): Promise<void> {
    await queries.cancelQueries({ queryKey })
    await queries.invalidateQueries({ queryKey })
  }

  async function catchUp(): Promise<void> {
    isCatchingUp = true
    try {
      while (oldestMissing !== Number.POSITIVE_INFINITY) {
        const newest = current()?.at(-1)?.createdAt ?? Number.POSITIVE_INFINITY
        const after = Math.min(newest, oldestMissing - 1)
        oldestMissing = Number.POSITIVE_INFINITY
        const newer = await listAfter(after)
        const live = newer.filter(({ id }) => !gone.has(id))
        change((listed) => addToMessages(listed, live))
      }
    } finally {
      isCatchingUp = false
    }
  }

  return {
    refresh,
    hearOfNew(id, createdAt) {
      if (queries.isFetching({ queryKey }) > 0) return void refresh()
      const listed = current()
      if (!listed || listed.some((message) => message.id === id)) return
      oldestMissing = Math.min(oldestMissing, createdAt)
      if (!isCatchingUp) catchUp().catch(refresh)
    },
    hearOfDeleted(id) {
      gone.add(id)
      change((listed) => takeFromMessages(listed, id))
      if (queries.isFetching({ queryKey }) > 0) void refresh()
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
