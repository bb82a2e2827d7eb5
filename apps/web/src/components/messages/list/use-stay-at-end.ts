import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { MessageRow } from './message-rows.ts'

/** Within this distance of the end the user is considered to be at the end. */
const nearEndPx = 120

/**
 * Scrolls the page to the end of a list and keeps it there as messages arrive, unless the user has scrolled up. Sending
 * a message scrolls back to the end.
 */
export function useStayAtEnd(rows: readonly MessageRow[] | null): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const isSending = rows?.at(-1)?.id === null

  // A layout effect, because the observer must be disconnected before the list is removed, which would count as a
  // resize.
  useLayoutEffect(() => {
    const updateIsAtEnd = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement
      isAtEnd.current = scrollHeight - clientHeight - scrollTop < nearEndPx
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

  return list
}

const scrollToEnd = (): void => scrollTo({ top: document.documentElement.scrollHeight })
