import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Composer } from './composer.ts'
import type { ListedMessage } from './listed-message.ts'
import type { MessageAuthor, MessageBook } from './message-book.ts'
import { type MessageRow, overUntil, rowsOf } from './rows.ts'
import { eachSecond } from './seconds.ts'

interface Conversation<Listed extends ListedMessage> {
  /** Undefined while the list is on its way. */
  readonly listed: readonly Listed[] | undefined
  readonly book: MessageBook<Listed>
  readonly composer: Composer
  /** Who writes here, where messages of several people meet; the same object until it changes. */
  readonly me?: MessageAuthor | undefined
}

const none = [] as const

interface ReadConversation {
  /** Oldest first; null until the first of them are open. */
  readonly rows: readonly MessageRow[] | null
  readonly isAllOpen: boolean
}

/** What there is to read, opened as it comes. */
export function useRows<Listed extends ListedMessage>({
  listed,
  book,
  composer,
  me,
}: Conversation<Listed>): ReadConversation {
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
    () => rowsOf({ listed: listed ?? none, opened, outgoing, overUntil: over, ...(me && { me }) }),
    [listed, opened, outgoing, over, me],
  )
  return { rows: wasAllOpen ? rows : null, isAllOpen }
}
