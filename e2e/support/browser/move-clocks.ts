import { expect, type Page, type Route } from '@playwright/test'
import type { RunningServer } from '../server/server.ts'
import { unansweredPaths } from './requests.ts'

interface ClockMove {
  /** How far the server's clock is ahead of the system time, in milliseconds. */
  readonly aheadMs: number
  /** How far the page's clock moves. */
  readonly byMs: number
}

const everything = '**/*'
const abort = (route: Route): Promise<void> => route.abort()

/**
 * Moves the clocks of the server and of the page. Nothing is answered in between: the page takes the server's time from
 * each answer, and would move by twice as much. A token that is being refreshed would expire on the way.
 */
export async function moveClocks(page: Page, server: RunningServer, { aheadMs, byMs }: ClockMove): Promise<void> {
  await page.context().route(everything, abort)
  await expect.poll(() => unansweredPaths(page.context())).toEqual([])
  await server.setClock(aheadMs)
  await page.clock.fastForward(byMs)
  await page.context().unroute(everything, abort)
}
