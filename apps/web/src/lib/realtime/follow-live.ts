import type { LiveChannel } from '@sallyport/client/live'
import type { LiveEvent } from '@sallyport/contract/live'

/** A fallback poll that runs at this interval while the channel is silent and the page is visible. */
interface FallbackPoll {
  readonly everyMs: number
  readonly poll: () => void
}

interface FollowLiveInput {
  readonly channel: LiveChannel
  readonly onEvent: (event: LiveEvent) => void
  readonly polls: readonly FallbackPoll[]
}

/** Subscribes to the live channel and polls while it is silent. The returned function unsubscribes and closes the channel. */
export function followLive({ channel, onEvent, polls }: FollowLiveInput): () => void {
  const unsubscribe = channel.subscribe(onEvent)
  const timers = polls.map(({ everyMs, poll }) =>
    setInterval(() => {
      if (document.visibilityState === 'visible' && !channel.receivedWithin(everyMs)) poll()
    }, everyMs),
  )
  return () => {
    for (const timer of timers) clearInterval(timer)
    unsubscribe()
    channel.close()
  }
}
