/** A value that changes, in the form that React's `useSyncExternalStore` expects. */
export interface Observable<Value> {
  /** Returns the same object until the value changes. */
  current(): Value
  /** Returns the function that unsubscribes. */
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
