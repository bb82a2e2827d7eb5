/**
 * Lets readers finish before what they read is removed. Nobody is waited for longer than the given time: a reader that
 * never ends must not keep bytes that somebody deleted.
 */
export function createHolds(longestMs: number) {
  const holders = new Map<string, number>()
  const waiting = new Map<string, { readonly remove: () => void; readonly timer: NodeJS.Timeout }>()

  function removeNow(fileId: string): void {
    const removal = waiting.get(fileId)
    waiting.delete(fileId)
    clearTimeout(removal?.timer)
    removal?.remove()
  }

  return {
    hold(fileId: string): () => void {
      holders.set(fileId, (holders.get(fileId) ?? 0) + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (holders.get(fileId) ?? 1) - 1
        if (left > 0) return void holders.set(fileId, left)
        holders.delete(fileId)
        removeNow(fileId)
      }
    },
    /** Runs the removal when the last holder has let go; answers false when nobody holds the file. */
    postpone(fileId: string, remove: () => void): boolean {
      if (!holders.has(fileId)) return false
      const timer = setTimeout(() => removeNow(fileId), longestMs).unref()
      clearTimeout(waiting.get(fileId)?.timer)
      waiting.set(fileId, { remove, timer })
      return true
    },
  }
}
