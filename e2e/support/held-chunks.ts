import type { Page } from '@playwright/test'

/** Keeps the chunks of uploads from this number on on the line, until what is answered is called. */
export async function holdChunksFrom(page: Page, first: number): Promise<() => void> {
  const { promise: letGo, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/upload-chunk', async (route) => {
    if (Number(route.request().headers()['x-chunk-index']) >= first) await letGo
    await route.continue()
  })
  return resolve
}
