import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { MessageRow } from './rows.ts'

/** Somebody this close to the end reads along. */
const nearPixels = 120

/**
 * Shows the end of a list on the page that scrolls, and keeps to it as messages come, unless somebody has scrolled up
 * to read; what they send themselves brings them back.
 */
export function useStayAtEnd(rows: readonly MessageRow[] | null): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const isSending = rows?.at(-1)?.id === null

  // Ended in the very moment the list goes: what is gone has changed its size, too.
  useLayoutEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement
      isAtEnd.current = scrollHeight - clientHeight - scrollTop < nearPixels
    }
    const keep = new ResizeObserver(() => {
      if (isAtEnd.current) scrollToEnd()
    })
    if (list.current) keep.observe(list.current)
    addEventListener('scroll', look, { passive: true })
    return () => {
      keep.disconnect()
      removeEventListener('scroll', look)
    }
  }, [])

  useLayoutEffect(() => {
    if (isSending) scrollToEnd()
  }, [isSending])

  return list
}

const scrollToEnd = (): void => scrollTo({ top: document.documentElement.scrollHeight })
