/** Lets those who come under the same key pass one after the other. */
export interface Turns {
  take<Result>(key: string, step: () => Promise<Result>): Promise<Result>
}

/** Turns in one process. */
export function createLocalTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    async take(key, step) {
      const mine = (last.get(key) ?? Promise.resolve()).then(step, step)
      last.set(key, mine)
      try {
        return await mine
      } finally {
        if (last.get(key) === mine) last.delete(key)
      }
    },
  }
}
