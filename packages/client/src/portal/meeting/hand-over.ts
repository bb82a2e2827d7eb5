import { unlessAborted } from '../../clock.ts'

/** Keeps the newest of something until it is taken, by whoever waits for it or comes later. */
export function createHandOver<T>() {
  let next = Promise.withResolvers<T>()
  let isThere = false
  return {
    isEmpty: () => !isThere,
    clear(): void {
      if (isThere) next = Promise.withResolvers()
      isThere = false
    },
    offer(value: T): void {
      if (isThere) next = Promise.withResolvers()
      isThere = true
      next.resolve(value)
    },
    async take(ended: AbortSignal): Promise<T> {
      const taken = next
      const value = await unlessAborted(taken.promise, ended)
      if (next === taken) {
        next = Promise.withResolvers()
        isThere = false
      }
      return value
    },
  }
}
