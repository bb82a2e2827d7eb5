import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Composer } from './composer.ts'
import type { ListedMessage } from './listed-message.ts'
import type { MessageBook } from './message-book.ts'
import { type MessageAuthor, type MessageRow, overUntil, rowsOf } from './rows.ts'
import { eachSecond } from './seconds.ts'

interface Conversation {
  /** Undefined while the list is on its way. */
  readonly listed: readonly ListedMessage[] | undefined
  readonly book: MessageBook
  readonly composer: Composer
  /** The same function each time. */
  readonly authorOf?: (id: string | null) => MessageAuthor
}

const none = [] as const

/** What there is to read, oldest first, opened as it comes; null until the first of it is open. */
export function useRows({ listed, book, composer, authorOf }: Conversation): readonly MessageRow[] | null {
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
    () => rowsOf({ listed: listed ?? none, opened, outgoing, overUntil: over, ...(authorOf && { authorOf }) }),
    [listed, opened, outgoing, over, authorOf],
  )
  return wasAllOpen ? rows : null
}
