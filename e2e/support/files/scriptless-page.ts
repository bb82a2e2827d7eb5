import type { Page } from '@playwright/test'

/** Opens a page of the same origin that runs no application code. */
export async function openScriptlessPage(page: Page, url: string): Promise<Page> {
  const scriptlessPage = await page.context().newPage()
  await scriptlessPage.goto(`${url}/theme.js`)
  return scriptlessPage
}
