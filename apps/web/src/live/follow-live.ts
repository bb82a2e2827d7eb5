import type { LiveChannel } from '@sallyport/client/live'
import type { LiveEvent } from '@sallyport/contract/live'

interface Following {
  readonly channel: LiveChannel
  readonly onEvent: (event: LiveEvent) => void
  /** Called instead, while the channel is silent and the page is in view. */
  readonly onSilence: () => void
}

/** Lists are asked for again this often when nothing was heard. */
const pollMs = 30_000

/** Follows the live channel, and makes up for it by asking while it says nothing. Closes it when the returned function is called. */
export function followLive({ channel, onEvent, onSilence }: Following): () => void {
  const unsubscribe = channel.subscribe(onEvent)
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible' && !channel.heardWithin(pollMs)) onSilence()
  }, pollMs)
  return () => {
    clearInterval(timer)
    unsubscribe()
    channel.close()
  }
}
