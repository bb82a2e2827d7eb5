import type { Page } from '@playwright/test'
import { files } from '@sallyport/contract/files'
import type { Account } from '../account/account.ts'
import { dropZone, fileRow } from '../account/users.ts'
import { dropFiles } from '../browser/drop-files.ts'
import { expect } from '../journey.ts'
import { saveDownload } from './downloads.ts'
import { holdChunksFrom } from './hold-chunks.ts'
import { countPersistedUploads } from './persisted-uploads.ts'
import { makeRandomFile, type RandomFile } from './random-file.ts'
import { resumableUploads } from './resumable-uploads.ts'

export const clickResumable = (page: Page, name: string) => resumableUploads(page).getByRole('button', { name }).click()

const largeBytes = 9_000_000

/** Creates a large file whose upload is stalled, and the files queued behind it. */
export async function createFiles(folder: string, ...names: readonly string[]): Promise<RandomFile[]> {
  const large = await makeRandomFile({ folder, name: 'first.zip', bytes: largeBytes })
  const others = names.map((name) =>
    makeRandomFile({ folder, name, bytes: name.endsWith('.zip') ? largeBytes : 1000 + name.length }),
  )
  return [large, ...(await Promise.all(others))]
}

export async function interruptByReload(
  page: Page,
  testFiles: readonly Pick<RandomFile, 'path'>[],
  persistedCount: number,
): Promise<void> {
  await holdChunksFrom(page, 1)
  const paths = testFiles.map(({ path }) => path)
  await dropFiles(page, dropZone(page), paths)
  await expect.poll(() => countPersistedUploads(page)).toBe(persistedCount)
  await page.reload()
  await expect(resumableUploads(page)).toBeVisible()
  await page.unroute('**/api/upload-chunk')
}

/** Expects each file exactly once, with its original bytes. */
export async function expectUploaded(page: Page, account: Account, folder: string, testFiles: readonly RandomFile[]) {
  const countFiles = async () => (await account.call(files.list, {})).files.length
  await expect.poll(countFiles, { timeout: 480_000 }).toBe(testFiles.length)
  await expect(resumableUploads(page)).toHaveCount(0)
  for (const { name, sha256 } of testFiles) {
    await expect(fileRow(page, name)).toHaveCount(1)
    const download = () => fileRow(page, name).getByRole('button', { name: 'Download' }).click()
    expect((await saveDownload(page, folder, download)).sha256).toBe(sha256)
  }
  await expect.poll(() => countPersistedUploads(page)).toBe(0)
}
