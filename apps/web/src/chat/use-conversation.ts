import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useChatWork } from './chat-context.ts'
import { messagesQuery } from './messages.queries.ts'
import { type MessageRow, overUntil, rowsOf } from './rows.ts'
import { eachSecond } from './seconds.ts'

interface ShownConversation {
  /** Oldest first; null until the first of them are open. */
  readonly rows: readonly MessageRow[] | null
  readonly isFailed: boolean
  readonly retry: () => void
}

const none = [] as const

/** What there is to read, and how it stands with fetching it. */
export function useConversation(): ShownConversation {
  const { call, book, composer } = useChatWork()
  const { data: listed, isError, refetch } = useQuery(messagesQuery(call))
  const opened = useSyncExternalStore(book.subscribe, book.current)
  const outgoing = useSyncExternalStore(composer.subscribe, () => composer.current().outgoing)
  const over = useSyncExternalStore(eachSecond.subscribe, () => overUntil(listed ?? none, Date.now()))
  const isAllOpen = listed?.every(({ id }) => opened.has(id)) ?? false
  const [wasAllOpen, setAllOpen] = useState(isAllOpen)
  if (isAllOpen && !wasAllOpen) setAllOpen(true)

  useEffect(() => {
    if (listed) book.open(listed)
  }, [book, listed])

  const rows = useMemo(
    () => rowsOf({ listed: listed ?? none, opened, outgoing, overUntil: over }),
    [listed, opened, outgoing, over],
  )
  return { rows: wasAllOpen ? rows : null, isFailed: isError && !listed, retry: () => void refetch() }
}
