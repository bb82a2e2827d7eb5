import { saveDownload } from '../support/downloads.ts'
import { dropFiles } from '../support/drop-files.ts'
import { holdChunksFrom } from '../support/held-chunks.ts'
import { expect, test } from '../support/journey.ts'
import { dropZone, fileRow, signUp, uploads } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'

const megabyte = 1024 * 1024

test('FIL-01 FIL-02 FIL-03 FIL-10 SHR-01 SHR-03 T175 a stranger signs up, drops 300 MB and shares it, and another stranger gets the very same bytes', async ({
  page,
  context,
  folder,
  anotherBrowser,
}) => {
  test.setTimeout(240_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const file = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 300 * megabyte })

  await signUp(page)
  const letGo = await holdChunksFrom(page, 10)
  await dropFiles(page, dropZone(page), [file.path])

  const card = uploads(page)
  await expect(card.getByText('Encrypting', { exact: true })).toBeVisible()
  await expect(card.getByRole('progressbar', { name: 'Uploading site-photos.zip' })).toBeVisible()
  await expect(card.getByText(/^\d+\.\d [KM]B\/s$/)).toBeVisible({ timeout: 60_000 })
  await expect(card.getByText('of 300.00 MB')).toBeVisible()
  letGo()
  await expect(card.getByText('Encrypted', { exact: true })).toBeVisible({ timeout: 120_000 })
  const row = fileRow(page, 'site-photos.zip')
  await expect(row.getByText('300.00 MB')).toBeVisible({ timeout: 60_000 })
  await expect(row.getByText(/^0h [45]m remaining$/)).toBeVisible()
  await expect(card).toBeHidden()

  const copyButton = row.getByRole('button', { name: /^(Copy Link|Copied!)/ })
  await copyButton.click()
  await expect(copyButton).toContainText('Copied!')
  await expect(copyButton).toContainText('Copy Link')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/^http:\/\/localhost:\d+\/s\/[A-Za-z0-9_-]{20,}#[A-Za-z0-9_-]{48}$/)

  const stranger = await (await anotherBrowser()).newPage()
  await stranger.goto(link)
  await expect(stranger.getByRole('heading', { name: 'site-photos.zip' })).toBeVisible()
  await expect(stranger.getByText('300.00 MB')).toBeVisible()
  const saved = await saveDownload(stranger, folder, () => stranger.getByRole('button', { name: 'Download' }).click())
  await expect(stranger.getByText('Complete')).toBeVisible()

  expect(saved.name).toBe('site-photos.zip')
  expect(saved.sha256).toBe(file.sha256)
})
