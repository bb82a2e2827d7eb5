import { expect, type Locator, type Page } from '@playwright/test'

/** Far enough ahead that the page cannot get there first, even on a slow machine. */
const aheadMs = 5000
const stepMs = 20
/** Tolerance for how long something stays on the screen. */
const toleranceMs = 200

/**
 * Pauses the installed clock of a page a few seconds ahead: no timer fires by waiting any more. Anything requested before
 * must be visible already, as lists are announced a moment after they arrive.
 */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + aheadMs)
}

/** Advances the paused clock in small steps until this is visible, so that it has only just appeared. */
export async function stepUntilVisible(locator: Locator): Promise<void> {
  await expect(async () => {
    await locator.page().clock.runFor(stepMs)
    expect(await locator.isVisible()).toBe(true)
  }).toPass({ intervals: [stepMs], timeout: 240_000 })
}

/** Expects an element that has just appeared to stay this long and to disappear then, with the clock paused. */
export async function expectShownFor(locator: Locator, milliseconds: number): Promise<void> {
  const { clock } = locator.page()
  await clock.runFor(milliseconds - toleranceMs)
  await expect(locator).toBeVisible()
  await clock.runFor(2 * toleranceMs)
  await expect(locator).toBeHidden()
}
