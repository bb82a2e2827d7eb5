/** One value that changes, in the form that React's `useSyncExternalStore` watches. */
export interface Observable<Value> {
  /** The same object until something has changed. */
  current(): Value
  /** Gives the function that ends the subscription. */
  subscribe(listener: () => void): () => void
}

export interface Subject<Value> extends Observable<Value> {
  set(value: Value): void
}

export function createSubject<Value>(initial: Value): Subject<Value> {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    current: () => value,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(next) {
      value = next
      for (const listener of [...listeners]) listener()
    },
  }
}
