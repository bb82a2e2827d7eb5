type Listener<Message> = (message: Message) => void

/**
 * Carries messages between the parts of all nodes: in the order of whoever publishes, at most once, and never waited for.
 * A message is what JSON can carry.
 */
export interface Bus {
  publish(topic: string, message: unknown): void
  /** Listens until the answer is called. */
  subscribe<Message>(topic: string, listener: Listener<Message>): () => void
  /** Calls the listener, until the answer is called, after messages of other nodes may have been missed. */
  onGap(listener: () => void): () => void
  /** False while messages of other nodes do not arrive, and until those who listen were told so. */
  isWhole(): boolean
}

/** A bus for one process. */
export function createLocalBus(): Bus {
  const topics = createTopics()
  return {
    publish: topics.deliver,
    subscribe: topics.subscribe,
    onGap: () => () => undefined,
    isWhole: () => true,
  }
}

/** Those who listen in this process. */
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
