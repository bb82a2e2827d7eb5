import { raceAbort } from './clock.ts'

/** A value that changes, in the form that React's `useSyncExternalStore` expects. */
export interface Observable<Value> {
  /** Returns the same object until the value changes. */
  current(): Value
  /** Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void
}

/** Resolves with the first value that matches, also the present one. Rejects with the signal's reason. */
export async function waitForValue<Value>(
  { current, subscribe }: Observable<Value>,
  matches: (value: Value) => boolean,
  signal?: AbortSignal,
): Promise<Value> {
  const found = Promise.withResolvers<Value>()
  const check = () => matches(current()) && found.resolve(current())
  const unsubscribe = subscribe(check)
  check()
  return (signal ? raceAbort(found.promise, signal) : found.promise).finally(unsubscribe)
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
