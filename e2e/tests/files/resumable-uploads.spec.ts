import type { Page } from '@playwright/test'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { dropZone, fileRow, uploads } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { saveScreenshots } from '../../support/browser/save-screenshots.ts'
import { holdChunksFrom } from '../../support/files/hold-chunks.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'

const resumableUploads = (page: Page) => page.getByRole('region', { name: 'Uploads to resume' })

async function signInWithTestFile(page: Page, { url, folder }: { url: string; folder: string }) {
  const account = await createAccount(url, 'mara@example.org')
  const file = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 30_000_000 })
  await openFiles(page, account)
  return { account, file }
}

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
  test.setTimeout(600_000)
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

test('@screens an upload to continue, at desktop and phone size', async ({ page, folder, server }) => {
  const { file } = await signInWithTestFile(page, { url: server.url, folder })
  await interruptByReload(page, file.path)
  await saveScreenshots(page, 'files-unfinished')
  await page.setViewportSize({ width: 390, height: 844 })
  await saveScreenshots(page, 'files-unfinished-phone')
})
