import type { Page } from '@playwright/test'
import { openNewAccount } from '../../support/account/open-files.ts'
import { dropZone, fileRow, uploads } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { holdChunksFrom } from '../../support/files/hold-chunks.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'

const megabyte = 1024 * 1024

const dock = (page: Page) => page.getByRole('region', { name: 'Transfers' })
const tabIcon = (page: Page) => page.locator('link[rel="icon"]').getAttribute('href')
const openArea = (page: Page, area: string) =>
  page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: area, exact: true }).click()

test('FIL-02 a transfer is shown on every screen, with its percentage in the tab title', async ({ page, folder }) => {
  const largeFile = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 16 * megabyte })
  await openNewAccount(page)
  await holdChunksFrom(page, 1)
  await dropFiles(page, dropZone(page), [largeFile.path])
  await expect(uploads(page).getByText('50%', { exact: true })).toBeVisible({ timeout: 240_000 })
  await expect(dock(page)).toBeHidden()
  await expect(page).toHaveTitle('50% · Sallyport')

  await openArea(page, 'Chat')
  await expect(dock(page)).toContainText('1 transfer')
  await expect(dock(page)).toContainText('50%')
  await expect(dock(page).getByRole('progressbar', { name: 'All transfers' })).toHaveAttribute('aria-valuenow', '50')
  await expect(page).toHaveTitle('50% · Sallyport')
  expect(await tabIcon(page)).toMatch(/^data:image\/svg\+xml,.*stroke-dasharray%3D%2250%20100/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessible(page, 'the collapsed dock')
})

test('FIL-02 FIL-08 the dock expands to a row per transfer by keyboard alone, and Cancel removes them', async ({
  page,
  folder,
}) => {
  const largeFile = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 16 * megabyte })
  const next = await makeRandomFile({ folder, name: 'next.bin', bytes: 100 })
  await openNewAccount(page)
  await holdChunksFrom(page, 1)
  await dropFiles(page, dropZone(page), [largeFile.path, next.path])
  await expect(uploads(page).getByText('50%', { exact: true })).toBeVisible({ timeout: 240_000 })
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(dock(page)).toContainText('2 transfers')

  await dock(page).getByRole('button', { name: 'Show transfers' }).focus()
  await page.keyboard.press('Enter')
  await expect(dock(page).getByRole('listitem')).toHaveCount(2)
  await expect(dock(page).getByRole('progressbar', { name: 'Uploading site-photos.zip' })).toBeVisible()
  await expectAccessible(page, 'the expanded dock')
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.keyboard.press('Escape')
  await expect(dock(page).getByRole('listitem')).toHaveCount(0)
  await page.keyboard.press('Enter')

  await dock(page).getByRole('button', { name: 'Cancel site-photos.zip' }).focus()
  await page.keyboard.press('Enter')
  await expect(dock(page).getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(dock(page)).toBeHidden()
  await expect(page).toHaveTitle('Settings · Sallyport')
  await expect.poll(() => tabIcon(page)).toBe('/favicon.svg')
  await openArea(page, 'Files')
  await expect(fileRow(page, 'next.bin')).toBeVisible()
  await expect(fileRow(page, 'site-photos.zip')).toHaveCount(0)
})

test('FIL-01 files dropped on the chat are uploaded too, and the dock shows them', async ({ page, folder }) => {
  const file = await makeRandomFile({ folder, name: 'dropped.txt', bytes: 10 })
  await page.clock.install()
  await openNewAccount(page)
  await openArea(page, 'Chat')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await pauseClock(page)

  await dropFiles(page, page.getByRole('heading', { name: 'Chat' }), [file.path])

  await stepUntilVisible(dock(page).getByText('Done'))
  await page.clock.resume()
  await expect(dock(page)).toBeHidden()
  await openArea(page, 'Files')
  await expect(fileRow(page, 'dropped.txt')).toBeVisible()
})

test('FIL-18 on a phone the dock is a strip above the bottom bar that covers neither it nor the composer', async ({
  page,
  folder,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const largeFile = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 16 * megabyte })
  await openNewAccount(page)
  await holdChunksFrom(page, 1)
  await page.getByLabel('Files to upload').setInputFiles(largeFile.path)
  await expect(uploads(page).getByText('50%', { exact: true })).toBeVisible({ timeout: 240_000 })

  await openArea(page, 'Chat')
  await expect(dock(page)).toBeVisible()

  const measureLayout = async () => {
    const boxes = await Promise.all(
      [page.getByRole('button', { name: 'Send' }), dock(page), page.getByRole('navigation', { name: 'Areas' })].map(
        (part) => part.boundingBox(),
      ),
    )
    const [send, strip, bar] = boxes.map((box) => box ?? { y: Number.NaN, height: 0, width: 0 })
    return {
      isUnderComposer: send !== undefined && strip !== undefined && send.y + send.height <= strip.y + 1,
      isAboveBar: strip !== undefined && bar !== undefined && strip.y + strip.height <= bar.y + 1,
      width: strip?.width,
    }
  }
  await expect.poll(measureLayout).toEqual({ isUnderComposer: true, isAboveBar: true, width: 390 })
})
