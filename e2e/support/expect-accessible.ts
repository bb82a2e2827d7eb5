import { expect, type Page } from '@playwright/test'
import { checkAccessibility } from './check-accessibility.ts'

const sizes = [
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
]

/** As everybody may see it: on a desk and on a phone, by day and by night. */
export async function expectAccessible(page: Page, what: string, leaveOut: readonly string[] = []): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await checkAccessibility(page, leaveOut), `${what}, ${size.width} wide, ${colorScheme}`).toEqual([])
    }
  }
}
