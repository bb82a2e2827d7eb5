const minIntervalMs = 2000

interface Throttled {
  (): void
  readonly stop: () => void
}

/** Throttles `act`: calls it at once, then at most every 2 s, because hundreds of small files may arrive in a row. */
export function throttle(action: () => void): Throttled {
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
