import type { Page } from '@playwright/test'

/** Opens a link that confirms an address, and uses it. */
export async function followConfirmationLink(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
}
