interface UpdateBatches<Update> {
  readonly add: (update: Update) => void
  /** Applies at once what waits for the end of its batch. */
  readonly flush: () => void
  readonly stop: () => void
}

/** Single updates are applied at once, a few within this time together. */
const intervalMs = 500
/** With this many updates in an interval the batch waits for the end of the burst. */
const burstCount = 20
/** A burst has ended when no update has come for this long. */
const quietMs = 250
const maxBurstMs = 3000

/**
 * Applies updates together, each batch once: rendering a list for every one of thousands of files would take longer than
 * their upload.
 */
export function batchUpdates<Update>(apply: (updates: readonly Update[]) => void): UpdateBatches<Update> {
  let updates: Update[] = []
  let appliedAt = Number.NEGATIVE_INFINITY
  let updatedAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function applyAll(): void {
    timer = undefined
    appliedAt = performance.now()
    const batch = updates
    updates = []
    apply(batch)
  }

  function check(): void {
    const now = performance.now()
    const isInBurst = updates.length >= burstCount && now - updatedAt < quietMs && now - appliedAt < maxBurstMs
    if (isInBurst) timer = setTimeout(check, quietMs)
    else applyAll()
  }

  return {
    add(update) {
      updates.push(update)
      updatedAt = performance.now()
      if (timer !== undefined) return
      const waitMs = appliedAt + intervalMs - updatedAt
      if (waitMs <= 0) applyAll()
      else timer = setTimeout(check, waitMs)
    },
    flush() {
      clearTimeout(timer)
      if (updates.length > 0) applyAll()
      timer = undefined
    },
    stop: () => clearTimeout(timer),
  }
}
