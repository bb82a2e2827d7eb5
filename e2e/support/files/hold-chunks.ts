import type { Page } from '@playwright/test'

/** Holds back upload chunks from index `first` on until the returned function is called. */
export async function holdChunksFrom(page: Page, first: number): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/upload-chunk', async (route) => {
    if (Number(route.request().headers()['x-chunk-index']) >= first) await released
    await route.continue()
  })
  return release
}
