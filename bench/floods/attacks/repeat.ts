import { setTimeout as pause } from 'node:timers/promises'

/** Repeats the work at intervals of at least `everyMs`, ignoring errors. */
export async function repeatForever(everyMs: number, work: () => Promise<unknown>): Promise<never> {
  for (;;) {
    const startedAt = performance.now()
    await work().catch(() => undefined)
    await pause(Math.max(1, everyMs - (performance.now() - startedAt)))
  }
}

/** Runs `count` instances of the work concurrently. */
export const inParallel = (count: number, work: (index: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, number) => work(number)))
