import { type BrowserContext, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { dropZone, fileRow, signUp, uploads } from '../account/users.ts'
import { dropFiles } from '../browser/drop-files.ts'
import { saveDownload } from './downloads.ts'
import { holdChunksFrom } from './hold-chunks.ts'
import { makeRandomFile } from './random-file.ts'

const megabyte = 1024 * 1024

interface Options {
  readonly page: Page
  readonly context: BrowserContext
  readonly folder: string
  readonly anotherBrowser: (options?: BrowserContextOptions) => Promise<BrowserContext>
  readonly megabytes: number
}

/** A new user uploads and shares a file of this size, and a recipient without an account downloads the same bytes. */
export async function uploadAndShare({ page, context, folder, anotherBrowser, megabytes }: Options): Promise<void> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const size = `${megabytes}.00 MB`
  const file = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: megabytes * megabyte })

  await signUp(page)
  const release = await holdChunksFrom(page, 2)
  await dropFiles(page, dropZone(page), [file.path])

  const uploadCard = uploads(page)
  await expect(uploadCard.getByText('Encrypting', { exact: true })).toBeVisible()
  await expect(uploadCard.getByRole('progressbar', { name: 'Uploading site-photos.zip' })).toBeVisible()
  await expect(uploadCard.getByText(/^\d+\.\d [KM]B\/s$/)).toBeVisible({ timeout: 240_000 })
  await expect(uploadCard.getByText(`of ${size}`)).toBeVisible()
  release()
  await expect(uploadCard.getByText('Encrypted', { exact: true })).toBeVisible({ timeout: 480_000 })
  const row = fileRow(page, 'site-photos.zip')
  await expect(row.getByText(size)).toBeVisible({ timeout: 240_000 })
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
  await expect(recipient.getByText(size)).toBeVisible()
  const saved = await saveDownload(recipient, folder, () => recipient.getByRole('button', { name: 'Download' }).click())
  await expect(recipient.getByText('Complete')).toBeVisible({ timeout: 480_000 })

  expect(saved.name).toBe('site-photos.zip')
  expect(saved.sha256).toBe(file.sha256)
}
