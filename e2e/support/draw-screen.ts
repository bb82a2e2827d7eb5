import { mkdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'

const place = fileURLToPath(new URL('../../docs/screens/', import.meta.url))
const most = 150 * 1024

/** Draws what is shown into `docs/screens`, by day and by night; small enough to be kept. */
export async function drawScreen(page: Page, name: string): Promise<void> {
  mkdirSync(place, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    const path = `${place}${name}-${colorScheme}.png`
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(async () => {
      const passing = document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
      await Promise.allSettled([document.fonts.ready, ...passing.map(({ finished }) => finished)])
    })
    await page.screenshot({ path })
    expect(statSync(path).size).toBeLessThan(most)
  }
}
