import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openFiles, openNewAccount } from '../../support/account/open-files.ts'
import { fileRow, uploads } from '../../support/account/users.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { expect, test } from '../../support/journey.ts'

test('FIL-09 of many failed uploads three have a banner, and all are retried together', async ({ page, folder }) => {
  const names = Array.from({ length: 10 }, (_, index) => `part-${index}.txt`)
  for (const name of names) await writeFile(join(folder, name), name)
  await openNewAccount(page)
  await page.route('**/api/upload', (route) =>
    route.fulfill({ status: 403, json: { success: false, error: 'no', code: 'FORBIDDEN' } }),
  )

  await page.getByRole('button', { name: 'Files to upload' }).setInputFiles(names.map((name) => join(folder, name)))

  await expect(page.getByText('7 more uploads failed')).toBeVisible()
  await expect(page.getByText('Failed to upload part-')).toHaveCount(3)
  await expect(uploads(page).getByText('10 failed')).toBeVisible()
  await page.unroute('**/api/upload')
  await uploads(page).getByRole('button', { name: 'Retry failed' }).click()
  await expect(page.getByRole('region', { name: 'Your Files' }).getByRole('listitem')).toHaveCount(10)
  await expect(page.getByText('Failed to upload part-')).toHaveCount(0)
})

test('FIL-09 of a few dozen files that are uploaded at once each has its row', async ({ page, folder }) => {
  const names = Array.from({ length: 40 }, (_, index) => `photo-${index}.jpg`)
  for (const name of names) await writeFile(join(folder, name), name)
  await openNewAccount(page)
  const list = page.getByRole('region', { name: 'Your Files' })
  const summary = list.getByText('more files').waitFor({ timeout: 0 })
  let hasSummary = false
  summary.then(
    () => {
      hasSummary = true
    },
    () => undefined,
  )

  await page.getByRole('button', { name: 'Files to upload' }).setInputFiles(names.map((name) => join(folder, name)))

  await expect(list.getByRole('listitem')).toHaveCount(40)
  expect(hasSummary).toBe(false)
})

const dock = (page: Page) => page.getByRole('region', { name: 'Transfers' })
const downloads = (page: Page) => page.getByRole('region', { name: 'Downloads' })
const focusedMain = (page: Page) => page.locator('#main:focus')
const retryFailed = (list: Locator) => list.getByRole('button', { name: 'Retry failed' })
const cancelAll = (list: Locator) => list.getByRole('button', { name: 'Cancel all' })

for (const [screen, viewport] of [
  ['a desktop', { width: 1280, height: 860 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  test(`FIL-08 FIL-09 on ${screen}, the dock retries failed uploads and cancels running ones together, by keyboard`, async ({
    page,
    folder,
  }) => {
    const names = Array.from({ length: 6 }, (_, index) => `part-${index}.txt`)
    for (const name of names) await writeFile(join(folder, name), name)
    await page.setViewportSize(viewport)
    await openNewAccount(page)
    await page.route('**/api/upload', (route) =>
      route.fulfill({ status: 403, json: { success: false, error: 'no', code: 'FORBIDDEN' } }),
    )
    await page.getByRole('button', { name: 'Files to upload' }).setInputFiles(names.map((name) => join(folder, name)))
    await expect(uploads(page).getByText('6 failed')).toBeVisible()

    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Chat', exact: true }).click()
    await expect(dock(page)).toContainText('6 transfers failed')
    await dock(page).getByRole('button', { name: 'Show transfers' }).press('Enter')
    await expect(dock(page).getByRole('listitem')).toHaveCount(6)
    await expect(cancelAll(dock(page))).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page, `failed uploads in the dock on ${screen}`)
    await page.setViewportSize(viewport)
    await page.unroute('**/api/upload')
    await page.route('**/api/upload', () => undefined)
    await retryFailed(dock(page)).press('Enter')

    await expect(dock(page).getByText('0 of 6 files')).toBeVisible()
    await expect(retryFailed(dock(page))).toHaveCount(0)
    await cancelAll(dock(page)).press('Enter')
    const question = page.getByRole('alertdialog', { name: 'Cancel all transfers?' })
    await expect(question).toContainText('6 files won’t be transferred.')
    await cancelAll(question).press('Enter')
    await expect(dock(page)).toBeHidden()
    await expect(focusedMain(page)).toHaveCount(1)
  })

  test(`FIL-10 FIL-17 on ${screen}, downloads are retried and cancelled together`, async ({ page, server }) => {
    const account = await createAccount(server.url)
    const names = ['one.bin', 'two.bin', 'three.bin']
    for (const name of names) await account.upload(new File([name], name), 60)
    await openFiles(page, account)
    await page.route('**/api/download/*', (route) => route.fulfill({ status: 403, body: '' }))
    for (const name of names) await fileRow(page, name).getByRole('button', { name: 'Download' }).click()
    await page.setViewportSize(viewport)
    await expect(downloads(page).getByText('3 failed')).toBeVisible()
    await expect(cancelAll(downloads(page))).toHaveCount(0)

    await page.unroute('**/api/download/*')
    await page.route('**/api/download/*', () => undefined)
    await retryFailed(downloads(page)).click()
    await expect(downloads(page).getByText('0 of 3 files')).toBeVisible()
    await cancelAll(downloads(page)).click()
    const question = page.getByRole('alertdialog', { name: 'Cancel all downloads?' })
    await expect(question).toContainText('3 files won’t be saved.')
    await cancelAll(question).click()
    await expect(downloads(page)).toHaveCount(0)
    await expect(focusedMain(page)).toHaveCount(1)
  })
}
