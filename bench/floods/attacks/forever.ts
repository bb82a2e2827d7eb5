import { setTimeout as pause } from 'node:timers/promises'

/** Repeats the work at least so many milliseconds apart, whatever comes of it. */
export async function forever(everyMs: number, work: () => Promise<unknown>): Promise<never> {
  for (;;) {
    const startedAt = performance.now()
    await work().catch(() => undefined)
    await pause(Math.max(1, everyMs - (performance.now() - startedAt)))
  }
}

/** Runs the same work in so many places at once. */
export const inParallel = (count: number, work: (number: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, number) => work(number)))
