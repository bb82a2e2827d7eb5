interface Throttled {
  (): void
  readonly stop: () => void
}

/** Throttles an action: runs it at once, then at most once per interval, because many small files may arrive in a row. */
export function throttle(action: () => void, minIntervalMs: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isPending = false

  function startInterval(): void {
    timer = setTimeout(() => {
      timer = undefined
      if (isPending) call()
    }, minIntervalMs)
  }

  function call(): void {
    isPending = timer !== undefined
    if (isPending) return
    action()
    startInterval()
  }

  return Object.assign(call, { stop: () => clearTimeout(timer) })
}
