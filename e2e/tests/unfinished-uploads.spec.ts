import type { Page } from '@playwright/test'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../support/account.ts'
import { drawScreen } from '../support/draw-screen.ts'
import { dropFiles } from '../support/drop-files.ts'
import { expectAccessible } from '../support/expect-accessible.ts'
import { holdChunksFrom } from '../support/held-chunks.ts'
import { expect, test } from '../support/journey.ts'
import { tabTo } from '../support/keyboard.ts'
import { dropZone, fileRow, signIn, uploads } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'

const unfinished = (page: Page) => page.getByRole('region', { name: 'Uploads to continue' })

async function begin(page: Page, { url, folder }: { url: string; folder: string }) {
  const account = await createAccount(url, 'mara@example.org')
  const file = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 30_000_000 })
  await signIn(page, account)
  return { account, file }
}

/** Lets the first two chunks of a file of 30 MB through, and loads the page again. */
async function breakOffByReload(page: Page, path: string): Promise<void> {
  await holdChunksFrom(page, 2)
  await dropFiles(page, dropZone(page), [path])
  await expect(uploads(page).getByText('55%')).toBeVisible({ timeout: 60_000 })
  await page.reload()
  await expect(unfinished(page).getByText(/^Stopped at \d+%$/)).toBeVisible()
  // Not before: what is held back would be let go.
  await page.unroute('**/api/upload-chunk')
}

test('FIL-04 an upload broken off by a reload is accessible, goes on by the keyboard alone, and so is thrown away', async ({
  page,
  folder,
  server,
}) => {
  test.setTimeout(180_000)
  const { account, file } = await begin(page, { url: server.url, folder })
  await breakOffByReload(page, file.path)
  await expectAccessible(page, 'uploads to continue')

  await tabTo(page, /^ *Continue site-photos\.zip *$/)
  await page.keyboard.press('Enter')
  await expect(fileRow(page, file.name)).toBeVisible({ timeout: 60_000 })
  await expect(unfinished(page)).toHaveCount(0)

  await breakOffByReload(page, file.path)
  await tabTo(page, /^ *Discard site-photos\.zip *$/)
  await page.keyboard.press('Enter')
  await expect(unfinished(page)).toHaveCount(0)
  await expect.poll(async () => (await account.call(files.openUploads, {})).uploads).toEqual([])
})

test('@screens an upload to continue, on a desk and on a phone', async ({ page, folder, server }) => {
  const { file } = await begin(page, { url: server.url, folder })
  await breakOffByReload(page, file.path)
  await drawScreen(page, 'files-unfinished')
  await page.setViewportSize({ width: 390, height: 844 })
  await drawScreen(page, 'files-unfinished-phone')
})
