import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { MessageRow } from './message-rows.ts'

/** Within this distance of the end the user is considered to be at the end. */
const nearEndPx = 120

interface EndOfList {
  readonly list: RefObject<HTMLDivElement | null>
  /** Whether messages have arrived below what the user reads. */
  readonly hasNewMessages: boolean
  readonly scrollToEnd: () => void
}

/**
 * Scrolls the page to the end of a list and keeps it there as messages arrive, unless the user has scrolled up. Sending
 * a message scrolls back to the end.
 */
export function useStayAtEnd(rows: readonly MessageRow[] | null): EndOfList {
  const list = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const [hasNewMessages, setHasNewMessages] = useState(false)
  const newest = rows?.at(-1)
  const isSending = newest?.id === null

  // A layout effect, because the observer must be disconnected before the list is removed, which would count as a
  // resize.
  useLayoutEffect(() => {
    const updateIsAtEnd = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement
      isAtEnd.current = scrollHeight - clientHeight - scrollTop < nearEndPx
      if (isAtEnd.current) setHasNewMessages(false)
    }
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) scrollToEnd()
    })
    if (list.current) observer.observe(list.current)
    addEventListener('scroll', updateIsAtEnd, { passive: true })
    return () => {
      observer.disconnect()
      removeEventListener('scroll', updateIsAtEnd)
    }
  }, [])

  useLayoutEffect(() => {
    if (isSending) scrollToEnd()
  }, [isSending])

  const newestTime = useRef<number | null>(null)
  const handleNewest = useEffectEvent((time: number | null) => {
    const isNewer = time !== null && newestTime.current !== null && time > newestTime.current
    if (isNewer && !isAtEnd.current && !newest?.author?.isMe) setHasNewMessages(true)
    newestTime.current = time
  })
  useEffect(() => handleNewest(newest?.time ?? null), [newest?.time])

  return { list, hasNewMessages, scrollToEnd }
}

const scrollToEnd = (): void => scrollTo({ top: document.documentElement.scrollHeight })
