import { useEffect, useRef, useSyncExternalStore } from 'react'
import { RetryBanner } from '#/ui/retry-banner.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { chatWords } from '#/words/chat.ts'
import type { ListedMessage } from './listed-message.ts'
import type { MessagePages } from './message-pages.ts'

interface OlderMessagesProps<Listed extends ListedMessage> {
  readonly pages: Pick<MessagePages<Listed>, 'older' | 'loadOlder'>
  /** Whether all that is loaded is shown; before that nothing more is loaded. */
  readonly isReady: boolean
}

/** Pixels from the edge of the screen at which older messages begin to load. */
const ahead = 300

/** Stands at the old end of a list and loads more of it as people scroll there. */
export function OlderMessages<Listed extends ListedMessage>({ pages, isReady }: OlderMessagesProps<Listed>) {
  const { older, loadOlder } = pages
  const state = useSyncExternalStore(older.subscribe, older.current)
  const end = useRef<HTMLDivElement>(null)
  const isWaiting = state === 'more' && isReady

  useEffect(() => {
    if (!isWaiting || !end.current) return
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void loadOlder()
      },
      { rootMargin: `${ahead}px` },
    )
    watch.observe(end.current)
    return () => watch.disconnect()
  }, [isWaiting, loadOlder])

  function retry() {
    // The button goes with its banner, and the focus with it.
    document.getElementById('main')?.focus({ preventScroll: true })
    void loadOlder()
  }

  if (state === 'none') return null
  if (state === 'failed') {
    return (
      <RetryBanner label={chatWords.retry} onRetry={retry} className="older-messages my-2.5">
        {chatWords.olderFailed}
      </RetryBanner>
    )
  }
  return (
    <div ref={end} className="older-messages grid gap-2.5 py-2.5">
      <span role="status" className="sr-only">
        {state === 'loading' ? chatWords.loadingOlder : ''}
      </span>
      <div aria-hidden className="grid gap-2.5 rounded-card border border-line bg-surface px-4 py-3.5">
        <Skeleton className="h-5 w-4/5" />
        <Skeleton className="h-4 w-40" />
      </div>
    </div>
  )
}
