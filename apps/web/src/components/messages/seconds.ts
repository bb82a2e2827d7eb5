import type { Observable } from '@sallyport/client/observable'

type Ticks = Pick<Observable<void>, 'subscribe'>

const second = 1000

/**
 * A shared one-second timer. It runs while there are subscribers, and also fires when the page becomes visible again.
 */
export const eachSecond: Ticks = createTicks(second)

function createTicks(intervalMs: number): Ticks {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined

  function tick(): void {
    for (const listener of [...listeners]) listener()
  }

  function start(): void {
    timer = setInterval(tick, intervalMs)
    document.addEventListener('visibilitychange', tick)
  }

  function stop(): void {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) start()
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop()
      }
    },
  }
}
