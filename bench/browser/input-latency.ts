import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '../lib/devtools.ts'

const clickIntervalMs = 250

export interface InputLatency {
  readonly count: number
  /** Milliseconds from a click to the next frame; the browser reports none under 16 ms. */
  readonly delays: readonly number[]
}

/** Clicks an element repeatedly, and measures the delay of each click. */
export async function measureInputLatency(
  page: Page,
  selector: string,
  isRunning: () => boolean,
): Promise<InputLatency> {
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
  while (isRunning()) {
    await page.click(selector)
    count += 1
    await pause(clickIntervalMs)
  }
  const delays = await page.run(() => (window as unknown as { benchDelays: number[] }).benchDelays)
  return { count, delays }
}
