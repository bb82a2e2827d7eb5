import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from './devtools.ts'

const pressEveryMs = 250

export interface Presses {
  readonly count: number
  /** Milliseconds from a press to the next frame; quick ones, under 16, are not told. */
  readonly delays: readonly number[]
}

/** Presses an element again and again, and tells how long each press waited. */
export async function pressWhile(page: Page, selector: string, goesOn: () => boolean): Promise<Presses> {
  let count = 0
  await page.run(() => {
    const delays: number[] = []
    Object.assign(window, { benchDelays: delays })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[]) {
        if (entry.interactionId > 0) delays.push(entry.duration)
      }
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  while (goesOn()) {
    await page.press(selector)
    count += 1
    await pause(pressEveryMs)
  }
  const delays = await page.run(() => (window as unknown as { benchDelays: number[] }).benchDelays)
  return { count, delays }
}
