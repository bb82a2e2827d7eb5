interface CoalesceOptions {
  /** Minimum time between two runs for one key. */
  readonly everyMs: number
  readonly run: (key: string) => Promise<void>
  readonly onError: (error: Error) => void
}

/**
 * Creates a throttled function: runs at once for a key, and again at the end of each period in which it was called. The
 * last run always starts after the last call.
 */
export function coalesce({ everyMs, run, onError }: CoalesceOptions): (key: string) => void {
  /** Keys that ran in this period, and whether they must run again. */
  const recent = new Map<string, boolean>()

  function start(key: string): void {
    recent.set(key, false)
    setTimeout(() => {
      if (recent.get(key)) start(key)
      else recent.delete(key)
    }, everyMs).unref()
    run(key).catch(onError)
  }

  return (key) => {
    if (recent.has(key)) recent.set(key, true)
    else start(key)
  }
}
