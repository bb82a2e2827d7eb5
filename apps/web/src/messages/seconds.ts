import type { Observable } from '@sallyport/client/observable'

type Ticks = Pick<Observable<void>, 'subscribe'>

const second = 1000

/** One clock for everything on the screen that counts: it runs while somebody watches, and looks again when the page comes back into view. */
export const eachSecond: Ticks = createTicks(second)

function createTicks(everyMs: number): Ticks {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined

  function tick(): void {
    for (const listener of [...listeners]) listener()
  }

  function begin(): void {
    timer = setInterval(tick, everyMs)
    document.addEventListener('visibilitychange', tick)
  }

  function end(): void {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) begin()
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) end()
      }
    },
  }
}
