import type { BrowserContext } from '@playwright/test'
import { openWaysAround, takeTheWayAround, type WaysAround } from './ways-around.ts'

/** Puts a place that can be cut in the middle of every direct way between browsers. Goes before their first page. */
export async function watchDirectWays(contexts: readonly BrowserContext[]): Promise<WaysAround> {
  const ways = openWaysAround()
  for (const context of contexts) {
    await context.exposeFunction('portOnTheWay', ways.portOnTheWay)
    await context.addInitScript(takeTheWayAround)
  }
  return ways
}
