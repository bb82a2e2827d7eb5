import type { Page, Route } from '@playwright/test'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

const hourMs = 3_600_000

const downloads = (page: Page) => page.getByRole('region', { name: 'Downloads' })
const startDownload = (page: Page) => fileRow(page, 'plans.bin').getByRole('button', { name: 'Download' }).click()

const failures: readonly (readonly [what: string, words: string, answer: (route: Route) => unknown])[] = [
  ['a 403 response', 'Download failed: 403', (route) => route.fulfill({ status: 403, body: '' })],
  ['a deleted file', 'File not found', (route) => route.fulfill({ status: 404, body: '' })],
  ['a network error', 'Download failed due to network error', (route) => route.abort('connectionreset')],
  ['a damaged record', 'Failed to decrypt chunk 0', corruptResponse],
]

test('FIL-17 every download failure shows its own message, and Retry starts again', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await account.upload(new File([new Uint8Array(2_000_000)], 'plans.bin'), 60)
  await openFiles(page, account)

  for (const [description, message, fulfill] of failures) {
    await page.route('**/api/download/*', (route) => void fulfill(route))
    await startDownload(page)
    await expect(downloads(page).getByText(message, { exact: true }), description).toBeVisible()
    await page.unroute('**/api/download/*')
    await downloads(page).getByRole('button', { name: 'Dismiss plans.bin' }).click()
    await expect(downloads(page)).toHaveCount(0)
  }

  await page.route('**/api/download/*', () => undefined)
  await startDownload(page)
  await downloads(page).getByRole('button', { name: 'Cancel download of plans.bin' }).click()
  await expect(downloads(page).getByText('Download was cancelled', { exact: true })).toBeVisible()
  await page.unroute('**/api/download/*')
  const downloaded = page.waitForEvent('download')
  await downloads(page).getByRole('button', { name: 'Download again plans.bin' }).click()
  await downloaded
})

test('FIL-17 a file with the key of another account reports a missing key', async ({ page, server }) => {
  const [account, other] = [await createAccount(server.url), await createAccount(server.url)]
  await account.upload(new File(['one'], 'plans.bin'), 60)
  const foreignId = await other.upload(new File(['one'], 'plans.bin'), 60)
  const { encryptedFileKey } = await other.call(files.key, { params: { id: foreignId } })
  await page.route('**/api/files', async (route) => {
    const response = await route.fetch()
    const listed = await response.json()
    for (const file of listed.files) file.encryptedFileKey = encryptedFileKey
    await route.fulfill({ response, json: listed })
  })
  await openFiles(page, account)

  await fileRow(page, 'Unreadable name').getByRole('button', { name: 'Download' }).click()

  await expect(downloads(page).getByText('File encryption key not found', { exact: true })).toBeVisible()
})

test('SHR-05 a file without a key cannot be shared and shows an error', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['one'], 'plans.bin'), 60)
  await page.route('**/api/files', async (route) => {
    const response = await route.fetch()
    const listed = await response.json()
    for (const file of listed.files) file.encryptedFileKey = ''
    await route.fulfill({ response, json: listed })
  })
  await openFiles(page, account)

  await fileRow(page, 'Unreadable name').getByRole('button', { name: 'Copy Link' }).click()

  await expect(page.getByText('No encrypted file key available for sharing', { exact: true }).first()).toBeVisible()
})

test('FIL-16 an archive that takes more than 1 hour suggests downloading the files one by one', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['one'], 'plans.bin'), 720)
  await page.clock.install()
  await openFiles(page, account)
  await page.route('**/api/download-all', () => undefined)

  await page.getByRole('button', { name: 'Download All' }).click()
  const card = page.getByRole('region', { name: 'All files as one archive' })
  await expect(card.getByRole('progressbar')).toBeVisible()
  await page.clock.fastForward(hourMs + 1000)

  await expect(card).toContainText(
    'Downloading all files took longer than one hour and was stopped. This happens with very large files or slow ' +
      'connections. Try downloading the files individually.',
  )
})

async function corruptResponse(route: Route): Promise<void> {
  const response = await route.fetch()
  const body = Buffer.from(await response.body())
  body.writeUInt8(body.readUInt8(1000) ^ 1, 1000)
  await route.fulfill({ response, body })
}
