import type { Page } from '@playwright/test'

/** The names of what lies in the private file system of a page's origin. */
export const privateFiles = (page: Page): Promise<string[]> =>
  page.evaluate(async () => Array.fromAsync((await navigator.storage.getDirectory()).keys()))
