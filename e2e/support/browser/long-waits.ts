import type { BrowserContext } from '@playwright/test'

/** Makes the pages of a context wait ten times as long for an answer, so that a test has time for its checks. */
export const stretchLongWaits = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const wait = window.setTimeout.bind(window) as (callback: () => void, milliseconds?: number) => number
    Reflect.set(window, 'setTimeout', (callback: () => void, milliseconds = 0) =>
      wait(callback, milliseconds >= 30_000 ? milliseconds * 10 : milliseconds),
    )
  })
