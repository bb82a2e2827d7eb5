import { expect, type Page } from '@playwright/test'
import { checkAccessibility } from './check-accessibility.ts'

const desktop = { width: 1280, height: 860 }
const phone = { width: 390, height: 844 }

interface Look {
  readonly size: typeof desktop
  readonly colorScheme: 'light' | 'dark'
  /** By default all. */
  readonly onlyRules?: string[]
}

const allLooks: readonly Look[] = [
  { size: desktop, colorScheme: 'light' },
  { size: desktop, colorScheme: 'dark' },
  { size: phone, colorScheme: 'light' },
  { size: phone, colorScheme: 'dark' },
]
const looksOfShortRun: readonly Look[] = [
  { size: desktop, colorScheme: 'light' },
  { size: phone, colorScheme: 'dark', onlyRules: ['color-contrast'] },
]

/** Checks the page at desktop and phone size in both themes. A short run checks all rules once, and then only contrast. */
export async function expectAccessible(
  page: Page,
  screenName: string,
  excludedRules: readonly string[] = [],
): Promise<void> {
  for (const { size, colorScheme, ...rules } of process.env['SHORT_RUN'] ? looksOfShortRun : allLooks) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(
      await checkAccessibility(page, { excludedRules, ...rules }),
      `${screenName}, ${size.width} wide, ${colorScheme}`,
    ).toEqual([])
  }
}
