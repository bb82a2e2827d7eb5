/**
 * Runs a task in several slots at once. The first failure aborts the others; returns or rejects after all have ended.
 */
export async function runConcurrently(
  slots: number,
  signal: AbortSignal,
  run: (slot: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const stoppable = AbortSignal.any([signal, stop.signal])
  const tasks = Array.from({ length: slots }, (_, slot) => run(slot, stoppable))
  try {
    await Promise.all(tasks)
  } finally {
    stop.abort()
    await Promise.allSettled(tasks)
  }
}
