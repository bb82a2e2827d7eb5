import { expect, type Page } from '@playwright/test'
import { checkAccessibility } from './check-accessibility.ts'

const sizes = [
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
]

/** Checks the page at desktop and phone size, in the light and the dark theme. */
export async function expectAccessible(
  page: Page,
  screenName: string,
  excludedRules: readonly string[] = [],
): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(
        await checkAccessibility(page, excludedRules),
        `${screenName}, ${size.width} wide, ${colorScheme}`,
      ).toEqual([])
    }
  }
}
