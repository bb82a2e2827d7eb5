/** Counts what is open under each key, and lets no more in than are allowed. */
export function createOpenSockets() {
  const counts = new Map<string, number>()

  return {
    /** Enters one under a key, and answers how to take it out again; null when there are as many as may be. */
    enter(key: string, most: number): (() => void) | null {
      const count = counts.get(key) ?? 0
      if (count >= most) return null
      counts.set(key, count + 1)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}
