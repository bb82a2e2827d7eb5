import { useQuery } from '@tanstack/react-query'
import type { MessageRow } from '#/messages/rows.ts'
import { useRows } from '#/messages/use-rows.ts'
import { useChatWork } from './chat-context.ts'

interface ShownConversation {
  /** Oldest first; null until the first of them are open. */
  readonly rows: readonly MessageRow[] | null
  /** Whether all that is loaded is open. */
  readonly isAllOpen: boolean
  readonly isFailed: boolean
  readonly retry: () => void
}

/** What there is to read, and how it stands with fetching it. */
export function useConversation(): ShownConversation {
  const { pages, book, composer } = useChatWork()
  const { data: listed, isError, refetch } = useQuery(pages.query)
  const { rows, isAllOpen } = useRows({ listed, book, composer })
  return { rows, isAllOpen, isFailed: isError && !listed, retry: () => void refetch() }
}
