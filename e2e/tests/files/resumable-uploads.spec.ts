import { request } from 'node:http'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createCaller } from '@sallyport/client/call'
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
import { prepareSealedUpload } from '../../support/files/sealed-upload.ts'
import { expect, test } from '../../support/journey.ts'
import { startServer } from '../../support/server/server.ts'

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

test('T132 unfinished uploads of other devices are shown, say why nothing can be uploaded, and are discarded', async ({
  page,
  folder,
  server,
}) => {
  const { account, file } = await signInWithTestFile(page, { url: server.url, folder })
  const elsewhere = await Promise.all(Array.from({ length: 10 }, () => prepareSealedUpload(account, 3)))
  for (const upload of elsewhere) await upload.send(server.url, 0)
  const unfinished = page.getByRole('region', { name: 'Unfinished on other devices' })

  await dropFiles(page, dropZone(page), [file.path])
  await expect(page.getByText(/Too many uploads are open/)).toBeVisible({ timeout: 240_000 })
  await expect(unfinished.getByRole('listitem')).toHaveCount(10)
  await expect(unfinished.getByText(/^\d+(\.\d+)?% of .* received$/).first()).toBeVisible()
  await expectAccessible(page, 'unfinished uploads of other devices')
  await unfinished.getByRole('button', { name: 'Discard noise.bin' }).first().click()
  await expect(unfinished.getByRole('listitem')).toHaveCount(9)
  await unfinished.getByRole('button', { name: 'Discard all' }).click()
  await expect(unfinished).toHaveCount(0)
  await page.getByRole('button', { name: 'Retry' }).click()

  await expect(fileRow(page, file.name)).toBeVisible({ timeout: 240_000 })
})

test('T132 small uploads that a crash has cut off do not count as open after a restart', async ({ folder }) => {
  const server = await startServer({ dataFolder: join(folder, 'data') })
  const account = await createAccount(server.url)
  const upload = await prepareSealedUpload(account, 1)
  const { headers } = upload.requestFor(server.url, 0)
  const bytes = upload.chunks[0] ?? Buffer.alloc(0)
  const sockets = Array.from({ length: 10 }, () => {
    const { 'x-upload-id': _, 'x-chunk-index': __, 'x-chunk-size': ___, ...rest } = headers
    const sent = request(`${server.url}/api/upload`, {
      method: 'POST',
      headers: { ...rest, 'content-length': String(bytes.length) },
    })
    sent.on('error', () => undefined)
    sent.write(bytes.subarray(0, 10))
    return sent
  })
  await expect.poll(async () => (await account.call(files.openUploads, {})).uploads.length).toBe(10)
  await server.kill()
  for (const socket of sockets) socket.destroy()

  const restarted = await startServer({ dataFolder: join(folder, 'data') })
  const { uploads } = await createCaller({
    baseUrl: restarted.url,
    fetch,
    getAccessToken: async () => account.accessToken,
  })(files.openUploads, {})
  await restarted.stop()

  expect(uploads).toEqual([])
})

test('@screens an upload to continue, at desktop and phone size', async ({ page, folder, server }) => {
  const { file } = await signInWithTestFile(page, { url: server.url, folder })
  await interruptByReload(page, file.path)
  await saveScreenshots(page, 'files-unfinished')
  await page.setViewportSize({ width: 390, height: 844 })
  await saveScreenshots(page, 'files-unfinished-phone')
})
