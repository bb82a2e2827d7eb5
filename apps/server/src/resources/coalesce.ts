interface Coalescing {
  /** At most one run per key in this time. */
  readonly everyMs: number
  readonly run: (key: string) => Promise<void>
  readonly onError: (error: Error) => void
}

/**
 * Runs something for a key at once, and then again at the end of each period in which it was asked for. However often it
 * is asked for, the last run begins after the last request.
 */
export function coalesce({ everyMs, run, onError }: Coalescing): (key: string) => void {
  /** Keys that ran in this period, and whether they are to run once more. */
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
