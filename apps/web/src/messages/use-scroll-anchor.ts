import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps what is read in its place when older messages are inserted above it. Browsers do so themselves, but not at the
 * very top of the page, and some not at all.
 */
export function useScrollAnchor(list: RefObject<HTMLElement | null>, firstKey: string | undefined): void {
  const anchor = useRef<{ readonly card: Element; readonly top: number } | null>(null)
  const lastFirstKey = useRef(firstKey)

  useLayoutEffect(() => {
    const kept = anchor.current
    const isBrowsers = CSS.supports('overflow-anchor', 'auto') && document.documentElement.scrollTop > 0
    if (kept?.card.isConnected && lastFirstKey.current !== firstKey && !isBrowsers) {
      scrollBy({ top: kept.card.getBoundingClientRect().top - kept.top, behavior: 'instant' })
    }
    lastFirstKey.current = firstKey
    const measure = () => {
      const card = list.current?.querySelector('li')
      anchor.current = card ? { card, top: card.getBoundingClientRect().top } : null
    }
    measure()
    addEventListener('scroll', measure, { passive: true })
    return () => removeEventListener('scroll', measure)
  }, [list, firstKey])
}
