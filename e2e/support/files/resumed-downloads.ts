import { openAsBlob } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { createAccount } from '../account/account.ts'
import { openFiles } from '../account/open-files.ts'
import { fileRow, passwordField } from '../account/users.ts'
import { type HostileProxy, startHostileProxy } from '../network/hostile-proxy.ts'
import { expect } from '../network/proxied-journey.ts'
import { makeRandomFile, type RandomFile } from './random-file.ts'

const megabyte = 1024 * 1024
/** `npm run journeys:gigabyte` runs the same with 1 GB. */
const megabytes = Number(process.env['LARGE_FILE_MEGABYTES'] ?? 24)
export const bytes = megabytes * megabyte + 7
/** So slow that progress is persisted in between: at most the data of half a second is fetched twice. */
const maxBytesPerSecond = (megabytes / 4) * megabyte

/** A download over a connection that is slow enough to be cut in the middle. */
export interface DownloadScenario {
  /** Shows the file on a newly opened page, in a browser that may have been here before. */
  openPage(page: Page): Promise<void>
  download(page: Page): Promise<void>
  progressBar(page: Page): Locator
  retry(page: Page): Locator
  readonly file: RandomFile
  readonly proxy: HostileProxy
  readonly pathPrefix: string
}

export async function createOwner(url: string, folder: string) {
  const file = await makeRandomFile({ folder, name: 'long.bin', bytes })
  const account = await createAccount(url)
  const id = await account.upload(new File([await openAsBlob(file.path)], file.name), 60)
  const proxy = await startHostileProxy(url, { maxBytesPerSecond })
  return { file, account, id, proxy }
}

export async function createOwnDownload(url: string, folder: string): Promise<DownloadScenario> {
  const { file, account, proxy } = await createOwner(url, folder)
  const card = (page: Page) => page.getByRole('region', { name: 'Downloads' })
  return {
    file,
    proxy,
    pathPrefix: '/api/download/',
    async openPage(page) {
      const isFirst = page.context().pages().length === 1 && (await page.context().storageState()).origins.length === 0
      if (isFirst) return openFiles(page, account, proxy.url)
      await page.goto(proxy.url)
      await passwordField(page, 'Password').fill(account.password)
      await page.getByRole('button', { name: 'Unlock' }).click()
    },
    download: (page) => fileRow(page, file.name).getByRole('button', { name: 'Download' }).click(),
    progressBar: (page) => card(page).getByRole('progressbar', { name: `Decrypting ${file.name}` }),
    retry: (page) => card(page).getByRole('button', { name: `Retry ${file.name}` }),
  }
}

export const waitingForServer = (page: Page) => page.getByText('Waiting for the server', { exact: true })

const percentOf = async (progressBar: Locator): Promise<number> =>
  Number((await progressBar.getAttribute('aria-valuenow')) ?? 0)

/** Stops with more than half of the file downloaded; the returned function releases the rest. */
export async function downloadHalf(scenario: DownloadScenario, page: Page): Promise<() => void> {
  const release = scenario.proxy.holdResponses(scenario.pathPrefix, 0.75 * bytes)
  await scenario.openPage(page)
  await scenario.download(page)
  await expect
    .poll(() => percentOf(scenario.progressBar(page)), { timeout: 240_000, intervals: [50] })
    .toBeGreaterThanOrEqual(50)
  return release
}
