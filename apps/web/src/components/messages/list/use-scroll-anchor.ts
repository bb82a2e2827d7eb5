import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the scroll position when older messages are inserted above. Browsers anchor the scroll position themselves, but
 * not at the very top of the page, and some not at all.
 */
export function useScrollAnchor(list: RefObject<HTMLElement | null>, firstKey: string | undefined): void {
  const anchor = useRef<{ readonly card: Element; readonly top: number } | null>(null)
  const lastFirstKey = useRef(firstKey)

  useLayoutEffect(() => {
    const previous = anchor.current
    const isHandledByBrowser = CSS.supports('overflow-anchor', 'auto') && document.documentElement.scrollTop > 0
    if (previous?.card.isConnected && lastFirstKey.current !== firstKey && !isHandledByBrowser) {
      scrollBy({ top: previous.card.getBoundingClientRect().top - previous.top, behavior: 'instant' })
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
