import { useQuery } from '@tanstack/react-query'
import type { MessageRow } from '#/messages/rows.ts'
import { useRows } from '#/messages/use-rows.ts'
import { useChatWork } from './chat-context.ts'
import { messagesQuery } from './messages.queries.ts'

interface ShownConversation {
  /** Oldest first; null until the first of them are open. */
  readonly rows: readonly MessageRow[] | null
  readonly isFailed: boolean
  readonly retry: () => void
}

/** What there is to read, and how it stands with fetching it. */
export function useConversation(): ShownConversation {
  const { call, book, composer } = useChatWork()
  const { data: listed, isError, refetch } = useQuery(messagesQuery(call))
  const rows = useRows({ listed, book, composer })
  return { rows, isFailed: isError && !listed, retry: () => void refetch() }
}
