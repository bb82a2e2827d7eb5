import type { Page } from '@playwright/test'
import { openNewAccount } from '../../support/account/open-files.ts'
import { fileRow } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'

const notice = (page: Page) => page.getByRole('alert').filter({ hasText: 'This part couldn’t be loaded' })
const areaLink = (page: Page, name: string) => page.getByRole('banner').getByRole('link', { name })

test('SHL-03 a screen whose code is missing leaves the bar and the other screens, and appears once it loads', async ({
  page,
}) => {
  await page.route('**/assets/chat-page-*.js', (route) => route.fulfill({ status: 404, body: '' }))
  await openNewAccount(page)

  await areaLink(page, 'Chat').click()
  await expect(notice(page)).toBeVisible({ timeout: 60_000 })
  await areaLink(page, 'Sessions').click()
  await expect(page.getByRole('heading', { name: 'Join Session' })).toBeVisible()
  await areaLink(page, 'Chat').click()
  await expect(notice(page)).toBeVisible({ timeout: 60_000 })

  await page.unroute('**/assets/chat-page-*.js')
  // Without a press.
  await expect(page.getByText('No messages yet')).toBeVisible({ timeout: 60_000 })
  await expect(notice(page)).toBeHidden()
})

test('SHL-03 a dialog that an extension blocks is said to be missing, and opens on Try again', async ({
  page,
  folder,
}) => {
  await page.route('**/assets/share-sheet-*.js', (route) => route.abort('blockedbyclient'))
  await openNewAccount(page)
  const file = await makeRandomFile({ folder, name: 'blocked.bin', bytes: 10 })
  await dropFiles(page, page.locator('body'), [file.path])
  await fileRow(page, file.name).getByRole('button', { name: 'Share' }).click()
  await expect(notice(page)).toBeVisible({ timeout: 60_000 })
  await expect(fileRow(page, file.name)).toBeVisible()

  await page.unroute('**/assets/share-sheet-*.js')
  await notice(page).getByRole('button', { name: 'Try again' }).click()

  await expect(page.getByRole('dialog', { name: /blocked\.bin|Share/ })).toBeVisible({ timeout: 60_000 })
})

test('a page whose code is missing says so, and opens on Try again', async ({ page }) => {
  await page.route('**/assets/invitation-pages-*.js', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto('/invite/unknown')
  await expect(page.getByText('A browser extension or a network filter may be blocking it.')).toBeVisible({
    timeout: 60_000,
  })

  await page.unroute('**/assets/invitation-pages-*.js')
  await page.getByRole('button', { name: 'Try again' }).click()

  await expect(page.getByText('Invalid or expired invitation link')).toBeVisible({ timeout: 60_000 })
})
