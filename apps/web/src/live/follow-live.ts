import type { LiveChannel } from '@sallyport/client/live'
import type { LiveEvent } from '@sallyport/contract/live'

/** What is asked for this often while the channel is silent and the page is in view. */
interface Poll {
  readonly everyMs: number
  readonly ask: () => void
}

interface Following {
  readonly channel: LiveChannel
  readonly onEvent: (event: LiveEvent) => void
  readonly polls: readonly Poll[]
}

/** Follows the live channel, and makes up for it by asking while it says nothing. Closes it when the returned function is called. */
export function followLive({ channel, onEvent, polls }: Following): () => void {
  const unsubscribe = channel.subscribe(onEvent)
  const timers = polls.map(({ everyMs, ask }) =>
    setInterval(() => {
      if (document.visibilityState === 'visible' && !channel.heardWithin(everyMs)) ask()
    }, everyMs),
  )
  return () => {
    for (const timer of timers) clearInterval(timer)
    unsubscribe()
    channel.close()
  }
}
