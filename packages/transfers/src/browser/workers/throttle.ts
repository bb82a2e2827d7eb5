/** The page renders progress four times a second. Reporting every record would cost as much as encrypting it. */
const intervalMs = 100

interface ThrottleOptions<Value> {
  readonly emit: (value: Value) => void
  /** Merges a value with the one that waits to be emitted. */
  readonly merge: (pending: Value, next: Value) => Value
}

/** Runs work whose progress is emitted at most ten times a second; `flush` emits what waits at once. */
export async function withThrottle<Value, Result>(
  { emit, merge }: ThrottleOptions<Value>,
  work: (push: (value: Value) => void, flush: () => void) => Promise<Result>,
): Promise<Result> {
  let waiting: { readonly value: Value } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting) emit(waiting.value)
    waiting = null
  }

  function push(value: Value): void {
    waiting = { value: waiting ? merge(waiting.value, value) : value }
    timer ??= setTimeout(flush, intervalMs)
  }

  try {
    return await work(push, flush)
  } finally {
    flush()
  }
}

/** Runs work that reports how many bytes were done since its last report. */
export const sumProgress = <Result>(
  emit: (bytes: number) => void,
  work: (push: (bytes: number) => void) => Promise<Result>,
): Promise<Result> => withThrottle({ emit, merge: (pending, next) => pending + next }, work)
