import { raceAbort } from './clock.ts'

/** A value that changes, in the form that React's `useSyncExternalStore` expects. */
export interface Observable<Value> {
  /** Returns the same object until the value changes. */
  current(): Value
  /** Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void
}

/** Resolves once a condition on the value is met, also at once. Rejects with the signal's reason. */
export async function waitUntil(
  { subscribe }: Observable<unknown>,
  isMet: () => boolean,
  signal?: AbortSignal,
): Promise<void> {
  const met = Promise.withResolvers<void>()
  const check = () => isMet() && met.resolve()
  const unsubscribe = subscribe(check)
  check()
  await (signal ? raceAbort(met.promise, signal) : met.promise).finally(unsubscribe)
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
