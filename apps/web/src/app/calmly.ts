const shortestPauseMs = 2000

interface Calm {
  (): void
  readonly stop: () => void
}

/** Does at once what is asked for, then at most every two seconds: hundreds of small files arrive in a row. */
export function calmly(act: () => void): Calm {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false

  function rest(): void {
    timer = setTimeout(() => {
      timer = undefined
      if (isWanted) ask()
    }, shortestPauseMs)
  }

  function ask(): void {
    isWanted = timer !== undefined
    if (isWanted) return
    act()
    rest()
  }

  return Object.assign(ask, { stop: () => clearTimeout(timer) })
}
