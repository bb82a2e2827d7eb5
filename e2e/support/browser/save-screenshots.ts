import { mkdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'

const screensFolder = fileURLToPath(new URL('../../../docs/screens/', import.meta.url))
const maxBytes = 150 * 1024

/** Saves screenshots of the page to `docs/screens` in the light and the dark theme and limits their size. */
export async function saveScreenshots(page: Page, name: string): Promise<void> {
  mkdirSync(screensFolder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    const path = `${screensFolder}${name}-${colorScheme}.png`
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(async () => {
      const finiteAnimations = document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
      await Promise.allSettled([document.fonts.ready, ...finiteAnimations.map(({ finished }) => finished)])
    })
    await page.screenshot({ path })
    expect(statSync(path).size).toBeLessThan(maxBytes)
  }
}
