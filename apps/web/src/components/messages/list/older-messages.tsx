import { useEffect, useRef, useSyncExternalStore } from 'react'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { chatStrings } from '#/strings/chat.ts'
import type { ListedMessage } from '../listed-message.ts'
import type { MessagePages } from './message-pages.ts'

interface OlderMessagesProps<Listed extends ListedMessage> {
  readonly pages: Pick<MessagePages<Listed>, 'older' | 'loadOlder'>
  /** Whether all loaded messages are shown; older ones are loaded only then. */
  readonly isReady: boolean
}

/** The distance in pixels from the viewport at which older messages start to load. */
const loadMarginPx = 300

/** The old end of a list, which loads more messages when it is scrolled into view. */
export function OlderMessages<Listed extends ListedMessage>({ pages, isReady }: OlderMessagesProps<Listed>) {
  const { older, loadOlder } = pages
  const state = useSyncExternalStore(older.subscribe, older.current)
  const sentinel = useRef<HTMLDivElement>(null)
  const canLoad = state === 'more' && isReady

  useEffect(() => {
    if (!canLoad || !sentinel.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void loadOlder()
      },
      { rootMargin: `${loadMarginPx}px` },
    )
    observer.observe(sentinel.current)
    return () => observer.disconnect()
  }, [canLoad, loadOlder])

  function retry() {
    // The button disappears with its banner, so the focus is moved to the page.
    document.getElementById('main')?.focus({ preventScroll: true })
    void loadOlder()
  }

  if (state === 'none') return null
  if (state === 'failed') {
    return (
      <RetryBanner onRetry={retry} className="older-messages my-2.5">
        {chatStrings.olderFailed}
      </RetryBanner>
    )
  }
  return (
    <div ref={sentinel} className="older-messages grid gap-2.5 py-2.5">
      <span role="status" className="sr-only">
        {state === 'loading' ? chatStrings.loadingOlder : ''}
      </span>
      <div aria-hidden className="grid gap-2.5 rounded-card border border-line bg-surface px-4 py-3.5">
        <Skeleton className="h-5 w-4/5" />
        <Skeleton className="h-4 w-40" />
      </div>
    </div>
  )
}
