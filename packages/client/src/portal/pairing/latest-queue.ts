import { raceAbort } from '../../clock.ts'

/** A queue of length one: a new value replaces the previous one, and `receive` waits for a value. */
export function createLatestQueue<T>() {
  let next = Promise.withResolvers<T>()
  let hasValue = false
  return {
    isEmpty: () => !hasValue,
    clear(): void {
      if (hasValue) next = Promise.withResolvers()
      hasValue = false
    },
    put(value: T): void {
      if (hasValue) next = Promise.withResolvers()
      hasValue = true
      next.resolve(value)
    },
    async receive(ended: AbortSignal): Promise<T> {
      const pending = next
      const value = await raceAbort(pending.promise, ended)
      if (next === pending) {
        next = Promise.withResolvers()
        hasValue = false
      }
      return value
    },
  }
}
