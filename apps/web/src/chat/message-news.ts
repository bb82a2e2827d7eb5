import type { Call } from '@sallyport/client/call'
import type { LiveEvent } from '@sallyport/contract/live'
import { messages } from '@sallyport/contract/messages'
import type { QueryClient } from '@tanstack/react-query'
import { addToMessages, messagesQuery, takeFromMessages } from './messages.queries.ts'

type MessageEvent = Extract<LiveEvent, { type: `message.${string}` }>

export interface MessageNews {
  readonly hear: (event: MessageEvent) => void
  /** Asks for the whole list anew, if anybody looks at it. */
  readonly refresh: () => Promise<void>
}

interface Parts {
  readonly call: Call
  readonly queries: QueryClient
}

/** Keeps the list as the server tells of changes. What has come is asked for by time, so that one message costs one. */
export function createMessageNews({ call, queries }: Parts): MessageNews {
  const { queryKey } = messagesQuery(call)
  const gone = new Set<string>()
  let oldestMissing = Number.POSITIVE_INFINITY
  let isCatchingUp = false

  /** An answer that is on its way may be older than what was just heard, and would undo it. */
  async function refresh(): Promise<void> {
    await queries.cancelQueries({ queryKey })
    await queries.invalidateQueries({ queryKey })
  }

  async function catchUp(): Promise<void> {
    isCatchingUp = true
    try {
      while (oldestMissing !== Number.POSITIVE_INFINITY) {
        const newest = queries.getQueryData(queryKey)?.at(-1)?.createdAt ?? 0
        const after = Math.min(newest, oldestMissing - 1)
        oldestMissing = Number.POSITIVE_INFINITY
        const newer = await call(messages.list, { query: { after: String(after) } })
        const live = newer.filter(({ id }) => !gone.has(id))
        queries.setQueryData(queryKey, (listed) => addToMessages(listed, live))
      }
    } finally {
      isCatchingUp = false
    }
  }

  function hearOfNew(id: string, createdAt: number): void {
    if (queries.isFetching({ queryKey }) > 0) return void refresh()
    const listed = queries.getQueryData(queryKey)
    if (!listed || listed.some((message) => message.id === id)) return
    oldestMissing = Math.min(oldestMissing, createdAt)
    if (!isCatchingUp) catchUp().catch(refresh)
  }

  function hearOfDeleted(id: string): void {
    gone.add(id)
    queries.setQueryData(queryKey, (listed) => takeFromMessages(listed, id))
    if (queries.isFetching({ queryKey }) > 0) void refresh()
  }

  return {
    refresh,
    hear(event) {
      if (event.type === 'message.inserted') hearOfNew(event.id, event.createdAt)
      else hearOfDeleted(event.id)
    },
  }
}
