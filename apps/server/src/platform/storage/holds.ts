/**
 * Reference counts for readers, so that a file is not removed while it is being read. A removal waits at most
 * `maxDelayMs`, because a reader that never ends must not keep deleted bytes.
 */
export function createHolds(maxDelayMs: number) {
  const holders = new Map<string, number>()
  const pendingRemovals = new Map<string, { readonly remove: () => void; readonly timer: NodeJS.Timeout }>()

  function removeNow(fileId: string): void {
    const removal = pendingRemovals.get(fileId)
    pendingRemovals.delete(fileId)
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
        const remaining = (holders.get(fileId) ?? 1) - 1
        if (remaining > 0) return void holders.set(fileId, remaining)
        holders.delete(fileId)
        removeNow(fileId)
      }
    },
    /** How many readers hold a file. */
    count: (): number => [...holders.values()].reduce((sum, holderCount) => sum + holderCount, 0),
    /** Runs the removal after the last holder has released the file; false if nobody holds it. */
    postpone(fileId: string, remove: () => void): boolean {
      if (!holders.has(fileId)) return false
      const timer = setTimeout(() => removeNow(fileId), maxDelayMs).unref()
      clearTimeout(pendingRemovals.get(fileId)?.timer)
      pendingRemovals.set(fileId, { remove, timer })
      return true
    },
  }
}
