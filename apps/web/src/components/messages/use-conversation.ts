import { serverClock } from '@sallyport/browser/server-clock'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useObservable } from '#/lib/use-observable.ts'
import type { Conversation } from './conversation.ts'
import { type MessageRow, overUntil, rowsOf } from './list/message-rows.ts'
import type { ListedMessage } from './listed-message.ts'
import type { MessageAuthor } from './message-cache.ts'
import { eachSecond } from './seconds.ts'

/** A conversation as it is shown. */
export interface ShownConversation extends Pick<Conversation, 'composer' | 'errors'> {
  readonly pages: Pick<Conversation['pages'], 'older' | 'loadOlder'>
  /** Oldest first; null until the first messages are decrypted. */
  readonly rows: readonly MessageRow[] | null
  /** Whether all loaded messages are decrypted. */
  readonly isAllDecrypted: boolean
  readonly isFailed: boolean
  readonly retry: () => void
}

const noMessages = [] as const

/**
 * Loads a conversation and decrypts it in the background. `me` is the current user in a conversation of several people;
 * the object is stable until it changes.
 */
export function useConversation<Listed extends ListedMessage>(
  { pages, messageCache, composer, errors }: Conversation<Listed>,
  me?: MessageAuthor,
): ShownConversation {
  const { data: listed, isError, refetch } = useQuery(pages.query)
  const decrypted = useObservable(messageCache)
  // Not the whole composer, which changes with each key press.
  const outgoing = useSyncExternalStore(composer.subscribe, () => composer.current().outgoing)
  const expiredUntil = useSyncExternalStore(eachSecond.subscribe, () =>
    overUntil(listed ?? noMessages, serverClock.now()),
  )
  const isAllDecrypted = listed?.every(({ id }) => decrypted.has(id)) ?? false
  const [wasAllDecrypted, setAllDecrypted] = useState(isAllDecrypted)
  if (isAllDecrypted && !wasAllDecrypted) setAllDecrypted(true)

  useEffect(() => {
    if (listed) messageCache.decrypt(listed)
  }, [messageCache, listed])

  const rows = useMemo(
    () => rowsOf({ listed: listed ?? noMessages, decrypted, outgoing, expiredUntil, ...(me && { me }) }),
    [listed, decrypted, outgoing, expiredUntil, me],
  )
  return {
    pages,
    composer,
    errors,
    // A message that waits for the server is shown, even if the list could not be loaded yet.
    rows: wasAllDecrypted || (!listed && outgoing) ? rows : null,
    isAllDecrypted,
    isFailed: isError && !listed,
    retry: () => void refetch(),
  }
}
