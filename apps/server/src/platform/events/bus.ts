type Listener<Message> = (message: Message) => void

/**
 * Carries messages between all nodes: in the order of the publisher, at most once, and without waiting. A message is
 * any JSON value.
 */
export interface Bus {
  publish(topic: string, message: unknown): void
  /** Subscribes until the returned function is called. */
  subscribe<Message>(topic: string, listener: Listener<Message>): () => void
  /** Calls the listener after messages of other nodes may have been missed, until the returned function is called. */
  onGap(listener: () => void): () => void
  /** False while messages of other nodes do not arrive, and until the gap listeners have been called. */
  isInSync(): boolean
}

/** A bus for one process. */
export function createLocalBus(): Bus {
  const topics = createTopics()
  return {
    publish: topics.deliver,
    subscribe: topics.subscribe,
    onGap: () => () => undefined,
    isInSync: () => true,
  }
}

/** The subscribers in this process. */
export function createTopics() {
  const topics = new Map<string, Set<Listener<never>>>()
  return {
    hasListeners: (topic: string): boolean => topics.has(topic),
    deliver(topic: string, message: unknown): void {
      for (const listener of topics.get(topic) ?? []) queueMicrotask(() => listener(message as never))
    },
    subscribe<Message>(topic: string, listener: Listener<Message>): () => void {
      const listeners = topics.get(topic) ?? new Set()
      listeners.add(listener as Listener<never>)
      topics.set(topic, listeners)
      return () => {
        listeners.delete(listener as Listener<never>)
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic)
      }
    },
  }
}
