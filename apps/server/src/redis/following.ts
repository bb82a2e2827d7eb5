import type { Redis } from 'ioredis'
import { prefix } from './prefix.ts'

type Listener = (content: Buffer) => void

export interface Following {
  /**
   * Listens on a channel until the answer is called. Once this settles nothing is missed, unless Redis is away: then the
   * channel is listened to from when it is heard again.
   */
  follow(channel: string, listener: Listener): Promise<() => void>
  /** True while nothing is heard because the line to Redis is cut. */
  isDeaf(): boolean
  /** Calls the listener, until the answer is called, each time the line stands again: what was said in between was missed. */
  onHearingAgain(listener: () => void): () => void
}

/** Listens to channels over one line, and goes on by itself after it was cut. */
export function createFollowing(line: Redis): Following {
  const channels = new Map<string, Set<Listener>>()
  const onAgain = new Set<() => void>()
  let isDeaf = false

  line.on('messageBuffer', (channel: Buffer, content: Buffer) => {
    for (const listener of [...(channels.get(String(channel)) ?? [])]) listener(content)
  })
  line.on('close', () => {
    isDeaf = true
  })
  line.on('ready', () => {
    hearAgain().catch(startAnew)
  })

  function startAnew(): void {
    if (line.status === 'ready') line.disconnect(true)
  }

  async function hearAgain(): Promise<void> {
    if (channels.size > 0) await line.subscribe(...channels.keys())
    isDeaf = false
    for (const listener of [...onAgain]) listener()
  }

  return {
    async follow(name, listener) {
      const channel = prefix + name
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(listener))
      // Where this fails, the channel is asked for with all others when the line stands anew.
      await line.subscribe(channel).catch(startAnew)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || channels.get(channel) !== listeners) return
        channels.delete(channel)
        line.unsubscribe(channel).catch(() => undefined)
      }
    },
    isDeaf: () => isDeaf,
    onHearingAgain(listener) {
      onAgain.add(listener)
      return () => void onAgain.delete(listener)
    },
  }
}
