import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Download, Page } from '@playwright/test'
import { sha256Of } from '../files/random-file.ts'
import { expect } from '../journey.ts'
import { sendFiles } from './portals.ts'

const megabyte = 1024 * 1024
/** `npm run journeys:gigabyte` sends 1 GB each way. */
export const largeMegabytes = Number(process.env['LARGE_FILE_MEGABYTES'] ?? 100)

/** Sends files through the portal and resolves with the SHA-256 of the saved files by name. */
export async function transfer(from: Page, to: Page, folder: string, paths: readonly string[]) {
  const downloads: Download[] = []
  const recordDownload = (download: Download) => downloads.push(download)
  to.on('download', recordDownload)
  await sendFiles(from, paths)
  await to.getByRole('button', { name: 'Accept' }).click()
  await expect.poll(() => downloads.length, { timeout: 60_000 + largeMegabytes * 1500 }).toBe(paths.length)
  to.off('download', recordDownload)
  const saved = await Promise.all(
    downloads.map(async (download) => {
      const path = join(folder, `saved-${download.suggestedFilename()}`)
      await download.saveAs(path)
      return [download.suggestedFilename(), await sha256Of(path)] as const
    }),
  )
  for (const page of [from, to]) await expect(page.getByRole('button', { name: 'Send File' })).toBeEnabled()
  return Object.fromEntries(saved)
}

/** Creates a sparse file of zeros, which takes no space on the sending machine. */
export async function createSparseFile(folder: string, name: string, bytes: number): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, '')
  await truncate(path, bytes)
  return path
}

export async function setQuota(page: Page, origin: string, megabytes: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: megabytes * megabyte })
}
