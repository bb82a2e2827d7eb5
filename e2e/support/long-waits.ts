import type { BrowserContext } from '@playwright/test'

/** Has the pages of a context wait ten times as long where they wait for somebody to answer, so that there is time to look. */
export const stretchLongWaits = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const wait = window.setTimeout.bind(window) as (work: () => void, milliseconds?: number) => number
    Reflect.set(window, 'setTimeout', (work: () => void, milliseconds = 0) =>
      wait(work, milliseconds >= 30_000 ? milliseconds * 10 : milliseconds),
    )
  })
