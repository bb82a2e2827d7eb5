import type { Page } from '@playwright/test'

/** Cuts the first response off after a share of its bytes and stalls every later one. */
export async function interruptResponse(page: Page, pattern: string, share: number): Promise<void> {
  let isFirst = true
  await page.route(pattern, async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    if (!isFirst) return
    isFirst = false
    const response = await route.fetch()
    const body = await response.body()
    await route.fulfill({ response, body: body.subarray(0, Math.floor(body.length * share)) })
  })
}
