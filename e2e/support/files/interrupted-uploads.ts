import type { Browser, Page } from '@playwright/test'
import { type Account, createAccount } from '../account/account.ts'
import { dropZone, fileRow, signInRemembered } from '../account/users.ts'
import { dropFiles } from '../browser/drop-files.ts'
import { killPages } from '../browser/kill-pages.ts'
import { test as base, expect } from '../journey.ts'
import { startUploadProxy, type UploadProxy } from '../network/upload-proxy.ts'
import { saveDownload } from './downloads.ts'
import { makeRandomFile, type RandomFile } from './random-file.ts'

const megabyte = 1024 * 1024
/** `npm run journeys:gigabyte` runs the same with 1 GB and 1 minute offline. */
export const megabytesSetting = process.env['LARGE_FILE_MEGABYTES']
export const fileBytes = Number(megabytesSetting ?? 96) * megabyte + 17
export const chunkBytes = 16 * megabyte
export const halfOfChunks = Math.floor(fileBytes / chunkBytes / 2)
const maxStreams = 3

interface UploadSetup {
  readonly proxy: UploadProxy
  readonly account: Account
  readonly file: RandomFile
  readonly folder: string
}

/** All traffic passes a proxy that counts chunks and can stall uploads midway. */
export const test = base.extend<{ setup: UploadSetup; killMidway: () => Promise<Page> }>({
  setup: async ({ server, folder }, use) => {
    const proxy = await startUploadProxy(server.url)
    const account = await createAccount(server.url)
    await use({
      proxy,
      account,
      folder,
      file: await makeRandomFile({ folder, name: 'site-photos.zip', bytes: fileBytes }),
    })
    await proxy.close()
  },
  baseURL: async ({ setup }, use) => use(setup.proxy.url),
  /** Kills the page in the middle of its upload and resolves with another page of the same browser. */
  killMidway: async ({ page, context, pageErrors, expectedErrors, setup }, use) =>
    use(async () => {
      expectedErrors.push(/^the page crashed$/)
      await signInRemembered(page, setup.account)
      await stallAtHalf(page, setup)
      await killPages(context.browser() as Browser)
      await expect.poll(() => pageErrors).toContain('the page crashed')
      setup.proxy.cut()
      setup.proxy.release()
      return context.newPage()
    }),
})

/** Starts the upload and stalls it at half. */
export async function stallAtHalf(page: Page, { proxy, file }: Pick<UploadSetup, 'proxy' | 'file'>): Promise<void> {
  const stalled = proxy.holdChunksFrom(halfOfChunks)
  await dropFiles(page, dropZone(page), [file.path])
  await stalled
}

/** Expects the file to be complete and unchanged, and no stream to have sent more than 1 chunk twice. */
export async function expectComplete(page: Page, { proxy, file, folder }: UploadSetup): Promise<void> {
  await expect(fileRow(page, file.name)).toBeVisible({ timeout: 360_000 })
  const count = Math.ceil(fileBytes / chunkBytes)
  expect(new Set(proxy.chunks).size).toBe(count)
  expect(proxy.chunks.length - count).toBeLessThanOrEqual(maxStreams)
  await expectSaved(page, { file, folder })
}

export async function expectSaved(page: Page, { file, folder }: Pick<UploadSetup, 'file' | 'folder'>): Promise<void> {
  const download = () => fileRow(page, file.name).getByRole('button', { name: 'Download' }).click()
  expect((await saveDownload(page, folder, download)).sha256).toBe(file.sha256)
}
