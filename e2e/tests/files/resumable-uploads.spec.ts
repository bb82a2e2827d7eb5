import type { Page } from '@playwright/test'
import { files } from '@sallyport/contract/files'
import { dropZone, fileRow, uploads } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { saveScreenshots } from '../../support/browser/save-screenshots.ts'
import { holdChunksFrom } from '../../support/files/hold-chunks.ts'
import { resumableUploads, signInWithTestFile } from '../../support/files/resumable-uploads.ts'
import { expect, test } from '../../support/journey.ts'

/** Sends the first 2 chunks of a file of 30 MB, then reloads the page. */
async function interruptByReload(page: Page, path: string): Promise<void> {
  await holdChunksFrom(page, 2)
  await dropFiles(page, dropZone(page), [path])
  await expect(uploads(page).getByText('55%')).toBeVisible({ timeout: 240_000 })
  await page.reload()
  await expect(resumableUploads(page).getByText(/^Paused at \d+%$/)).toBeVisible()
  // Not earlier: that would release the held requests.
  await page.unroute('**/api/upload-chunk')
}

test('FIL-04 an upload interrupted by a reload is accessible, resumed by keyboard alone and discarded likewise', async ({
  page,
  folder,
  server,
}) => {
  const { account, file } = await signInWithTestFile(page, { url: server.url, folder })
  await interruptByReload(page, file.path)
  await expectAccessible(page, 'uploads to resume')

  await tabTo(page, /^ *Resume site-photos\.zip *$/)
  await page.keyboard.press('Enter')
  await expect(fileRow(page, file.name)).toBeVisible({ timeout: 240_000 })
  await expect(resumableUploads(page)).toHaveCount(0)

  await interruptByReload(page, file.path)
  await tabTo(page, /^ *Discard site-photos\.zip *$/)
  await page.keyboard.press('Enter')
  await expect(resumableUploads(page)).toHaveCount(0)
  await expect.poll(async () => (await account.call(files.openUploads, {})).uploads).toEqual([])
})

test('FIL-06 an interrupted upload is resumed when its file is simply dropped or chosen again', async ({
  page,
  folder,
  server,
}) => {
  const { account, file } = await signInWithTestFile(page, { url: server.url, folder })
  await interruptByReload(page, file.path)
  const [interrupted] = (await account.call(files.openUploads, {})).uploads

  await dropFiles(page, dropZone(page), [file.path])

  await expect(fileRow(page, file.name)).toHaveCount(1, { timeout: 240_000 })
  await expect(resumableUploads(page)).toHaveCount(0)
  expect((await account.call(files.openUploads, {})).uploads).toEqual([])
  const completed = await account.call(files.list, {})
  expect(completed.files.map(({ encryptedFileKey }) => encryptedFileKey)).toEqual([interrupted?.encryptedFileKey])
})

test('@screens an upload to continue, at desktop and phone size', async ({ page, folder, server }) => {
  const { file } = await signInWithTestFile(page, { url: server.url, folder })
  await interruptByReload(page, file.path)
  await saveScreenshots(page, 'files-unfinished')
  await page.setViewportSize({ width: 390, height: 844 })
  await saveScreenshots(page, 'files-unfinished-phone')
})
