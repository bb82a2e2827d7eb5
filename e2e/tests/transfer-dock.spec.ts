import type { Page } from '@playwright/test'
import { dropFiles } from '../support/drop-files.ts'
import { expectAccessible } from '../support/expect-accessible.ts'
import { holdChunksFrom } from '../support/held-chunks.ts'
import { expect, test } from '../support/journey.ts'
import { dropZone, fileRow, signUp, uploads } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'
import { stepUntilVisible, stopTime } from '../support/stopped-time.ts'

const megabyte = 1024 * 1024

const dock = (page: Page) => page.getByRole('region', { name: 'Transfers' })
const tabIcon = (page: Page) => page.locator('link[rel="icon"]').getAttribute('href')
const goTo = (page: Page, area: string) =>
  page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: area, exact: true }).click()

test('FIL-02 a transfer follows to every screen, with its share on the tab', async ({ page, folder }) => {
  const big = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 16 * megabyte })
  await signUp(page)
  await holdChunksFrom(page, 1)
  await dropFiles(page, dropZone(page), [big.path])
  await expect(uploads(page).getByText('50%', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(dock(page)).toBeHidden()
  await expect(page).toHaveTitle('50% · Sallyport')

  await goTo(page, 'Chat')
  await expect(dock(page)).toContainText('1 transfer')
  await expect(dock(page)).toContainText('50%')
  await expect(dock(page).getByRole('progressbar', { name: 'All transfers' })).toHaveAttribute('aria-valuenow', '50')
  await expect(page).toHaveTitle('50% · Sallyport')
  expect(await tabIcon(page)).toMatch(/^data:image\/svg\+xml,.*stroke-dasharray%3D%2250%20100/)
  await expectAccessible(page, 'the dock, shut')
})

test('FIL-02 FIL-08 the transfers open into a row for each by the keyboard alone, and Cancel empties them', async ({
  page,
  folder,
}) => {
  const big = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 16 * megabyte })
  const next = await makeRandomFile({ folder, name: 'next.bin', bytes: 100 })
  await signUp(page)
  await holdChunksFrom(page, 1)
  await dropFiles(page, dropZone(page), [big.path, next.path])
  await expect(uploads(page).getByText('50%', { exact: true })).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(dock(page)).toContainText('2 transfers')

  await dock(page).getByRole('button', { name: 'Show transfers' }).focus()
  await page.keyboard.press('Enter')
  await expect(dock(page).getByRole('listitem')).toHaveCount(2)
  await expect(dock(page).getByRole('progressbar', { name: 'Uploading site-photos.zip' })).toBeVisible()
  await expectAccessible(page, 'the dock, open')
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.keyboard.press('Escape')
  await expect(dock(page).getByRole('listitem')).toHaveCount(0)
  await page.keyboard.press('Enter')

  await dock(page).getByRole('button', { name: 'Cancel site-photos.zip' }).focus()
  await page.keyboard.press('Enter')
  await expect(dock(page).getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(dock(page)).toBeHidden({ timeout: 20_000 })
  await expect(page).toHaveTitle('Settings · Sallyport')
  await expect.poll(() => tabIcon(page)).toBe('/favicon.svg')
  await goTo(page, 'Files')
  await expect(fileRow(page, 'next.bin')).toBeVisible()
  await expect(fileRow(page, 'site-photos.zip')).toHaveCount(0)
})

test('FIL-01 files dropped on the chat are sealed too, and the dock tells of them', async ({ page, folder }) => {
  const file = await makeRandomFile({ folder, name: 'dropped.txt', bytes: 10 })
  await page.clock.install()
  await signUp(page)
  await goTo(page, 'Chat')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await stopTime(page)

  await dropFiles(page, page.getByRole('heading', { name: 'Chat' }), [file.path])

  await stepUntilVisible(dock(page).getByText('Done'))
  await page.clock.resume()
  await expect(dock(page)).toBeHidden()
  await goTo(page, 'Files')
  await expect(fileRow(page, 'dropped.txt')).toBeVisible()
})

test('FIL-18 on a phone the transfers are a strip above the bottom bar that covers neither it nor the composer', async ({
  page,
  folder,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const big = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 16 * megabyte })
  await signUp(page)
  await holdChunksFrom(page, 1)
  await page.getByLabel('Files to seal').setInputFiles(big.path)
  await expect(uploads(page).getByText('50%', { exact: true })).toBeVisible({ timeout: 60_000 })

  await goTo(page, 'Chat')
  await expect(dock(page)).toBeVisible()

  const edges = async () => {
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
  await expect.poll(edges).toEqual({ isUnderComposer: true, isAboveBar: true, width: 390 })
})
