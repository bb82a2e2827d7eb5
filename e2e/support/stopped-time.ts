import { expect, type Locator, type Page } from '@playwright/test'

/** Not before the page can have come to it, however slow the machine. */
const aheadMs = 5000
const stepMs = 20
/** By how much a time on screen may differ from what is laid down. */
const toleranceMs = 200

/**
 * Stops the time of a page whose clock is installed, a few seconds ahead: nothing there comes or goes by waiting any more.
 * What the page was asked for before is to be there: lists are told a moment after they have come.
 */
export async function stopTime(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + aheadMs)
}

/** Lets stopped time go on a little at a time until this is to be seen; what appears has hardly aged then. */
export async function stepUntilVisible(locator: Locator): Promise<void> {
  await expect(async () => {
    await locator.page().clock.runFor(stepMs)
    expect(await locator.isVisible()).toBe(true)
  }).toPass({ intervals: [stepMs], timeout: 60_000 })
}

/** What has just appeared, in stopped time, stays for so long and goes by itself. */
export async function expectShownFor(locator: Locator, milliseconds: number): Promise<void> {
  const { clock } = locator.page()
  await clock.runFor(milliseconds - toleranceMs)
  await expect(locator).toBeVisible()
  await clock.runFor(2 * toleranceMs)
  await expect(locator).toBeHidden()
}
