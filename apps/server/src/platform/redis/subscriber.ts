import { ignore } from '@sallyport/contract/ignore'
import type { Redis } from 'ioredis'
import { prefix } from './prefix.ts'

type Listener = (content: Buffer) => void

export interface RedisSubscriber {
  /**
   * Subscribes to a channel until the returned function is called. Once the promise resolves no message is missed,
   * unless Redis is unavailable: then the subscription starts when the connection is back.
   */
  subscribe(channel: string, listener: Listener): Promise<() => void>
  /** True while the connection of the subscriber is down and no message arrives. */
  isDisconnected(): boolean
  /**
   * Calls the listener after each reconnect, when messages may have been missed, until the returned function is called.
   */
  onResubscribed(listener: () => void): () => void
}

/** Subscribes to channels over one connection and resubscribes after a reconnect. */
export function createRedisSubscriber(connection: Redis): RedisSubscriber {
  const channels = new Map<string, Set<Listener>>()
  const resubscribedListeners = new Set<() => void>()
  let isDisconnected = false

  connection.on('messageBuffer', (channel: Buffer, content: Buffer) => {
    for (const listener of [...(channels.get(String(channel)) ?? [])]) listener(content)
  })
  connection.on('close', () => {
    isDisconnected = true
  })
  connection.on('ready', () => {
    resubscribe().catch(reconnect)
  })

  function reconnect(): void {
    if (connection.status === 'ready') connection.disconnect(true)
  }

  async function resubscribe(): Promise<void> {
    if (channels.size > 0) await connection.subscribe(...channels.keys())
    isDisconnected = false
    for (const listener of [...resubscribedListeners]) listener()
  }

  return {
    async subscribe(name, listener) {
      const channel = prefix + name
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(listener))
      // If this fails, the reconnect subscribes to all channels.
      await connection.subscribe(channel).catch(reconnect)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || channels.get(channel) !== listeners) return
        channels.delete(channel)
        connection
          .unsubscribe(channel)
          .catch((error: unknown) => ignore(error, 'a message without listeners is dropped'))
      }
    },
    isDisconnected: () => isDisconnected,
    onResubscribed(listener) {
      resubscribedListeners.add(listener)
      return () => void resubscribedListeners.delete(listener)
    },
  }
}
