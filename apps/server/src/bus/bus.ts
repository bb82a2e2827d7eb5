type Listener<Message> = (message: Message) => void

/** Carries messages between the parts of all nodes; delivery is at most once, and never waited for. */
export interface Bus {
  publish(topic: string, message: unknown): void
  /** Listens until the answer is called. */
  subscribe<Message>(topic: string, listener: Listener<Message>): () => void
}

/** A bus for one process. */
export function createLocalBus(): Bus {
  const topics = new Map<string, Set<Listener<never>>>()
  return {
    publish(topic, message) {
      for (const listener of topics.get(topic) ?? []) queueMicrotask(() => listener(message as never))
    },
    subscribe(topic, listener) {
      const listeners = topics.get(topic) ?? new Set()
      listeners.add(listener as Listener<never>)
      topics.set(topic, listeners)
      return () => {
        listeners.delete(listener as Listener<never>)
        if (listeners.size === 0) topics.delete(topic)
      }
    },
  }
}
