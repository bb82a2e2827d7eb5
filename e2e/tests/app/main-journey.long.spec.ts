import { dropZone, fileRow, signUp, uploads } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { holdChunksFrom } from '../../support/files/hold-chunks.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'

const megabyte = 1024 * 1024

test('FIL-01 FIL-02 FIL-03 FIL-10 SHR-01 SHR-03 T175 a new user uploads and shares 300 MB, and a recipient without an account downloads identical bytes', async ({
  page,
  context,
  folder,
  anotherBrowser,
}) => {
  // 300 MB there and back take 30 seconds on two idle processors, and 10 times as long on slow ones next to other tests.
  test.setTimeout(600_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const file = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 300 * megabyte })

  await signUp(page)
  const release = await holdChunksFrom(page, 10)
  await dropFiles(page, dropZone(page), [file.path])

  const uploadCard = uploads(page)
  await expect(uploadCard.getByText('Encrypting', { exact: true })).toBeVisible()
  await expect(uploadCard.getByRole('progressbar', { name: 'Uploading site-photos.zip' })).toBeVisible()
  await expect(uploadCard.getByText(/^\d+\.\d [KM]B\/s$/)).toBeVisible({ timeout: 240_000 })
  await expect(uploadCard.getByText('of 300.00 MB')).toBeVisible()
  release()
  await expect(uploadCard.getByText('Encrypted', { exact: true })).toBeVisible({ timeout: 480_000 })
  const row = fileRow(page, 'site-photos.zip')
  await expect(row.getByText('300.00 MB')).toBeVisible({ timeout: 240_000 })
  await expect(row.getByText(/^0h [45]m remaining$/)).toBeVisible()
  await expect(uploadCard).toBeHidden()

  const copyButton = row.getByRole('button', { name: /^(Copy Link|Copied!)/ })
  await copyButton.click()
  await expect(copyButton).toContainText('Copied!')
  await expect(copyButton).toContainText('Copy Link')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/^http:\/\/localhost:\d+\/s\/[A-Za-z0-9_-]{20,}#[A-Za-z0-9_-]{48}$/)

  const recipient = await (await anotherBrowser()).newPage()
  await recipient.goto(link)
  await expect(recipient.getByRole('heading', { name: 'site-photos.zip' })).toBeVisible()
  await expect(recipient.getByText('300.00 MB')).toBeVisible()
  const saved = await saveDownload(recipient, folder, () => recipient.getByRole('button', { name: 'Download' }).click())
  await expect(recipient.getByText('Complete')).toBeVisible({ timeout: 480_000 })

  expect(saved.name).toBe('site-photos.zip')
  expect(saved.sha256).toBe(file.sha256)
})
