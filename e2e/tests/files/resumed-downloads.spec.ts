import { openAsBlob, readFileSync } from 'node:fs'
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow, passwordField } from '../../support/account/users.ts'
import { listOpfs } from '../../support/browser/opfs.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile, type RandomFile } from '../../support/files/random-file.ts'
import { type HostileProxy, startHostileProxy } from '../../support/network/hostile-proxy.ts'
import { waitForAttempts } from '../../support/network/outage.ts'
import { expect, test } from '../../support/network/proxied-journey.ts'
import { startServer } from '../../support/server/server.ts'

const megabyte = 1024 * 1024
/** `npm run journeys:gigabyte` runs the same with 1 GB. */
const megabytes = Number(process.env['LARGE_FILE_MEGABYTES'] ?? 24)
const bytes = megabytes * megabyte + 7
/** So slow that progress is persisted in between: at most the data of half a second is fetched twice. */
const maxBytesPerSecond = (megabytes / 4) * megabyte
/** May be fetched twice: data in flight when the connection was lost. */
const maxRefetchedBytes = 8 * megabyte

/** A download over a connection that is slow enough to be cut in the middle. */
interface DownloadScenario {
  /** Shows the file on a newly opened page, in a browser that may have been here before. */
  openPage(page: Page): Promise<void>
  download(page: Page): Promise<void>
  progressBar(page: Page): Locator
  retry(page: Page): Locator
  readonly file: RandomFile
  readonly proxy: HostileProxy
  readonly pathPrefix: string
}

async function createOwner(url: string, folder: string) {
  const file = await makeRandomFile({ folder, name: 'long.bin', bytes })
  const account = await createAccount(url)
  const id = await account.upload(new File([await openAsBlob(file.path)], file.name), 60)
  const proxy = await startHostileProxy(url, { maxBytesPerSecond })
  return { file, account, id, proxy }
}

async function createOwnDownload(url: string, folder: string): Promise<DownloadScenario> {
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

async function createSharedDownload(url: string, folder: string): Promise<DownloadScenario> {
  const { file, account, id, proxy } = await createOwner(url, folder)
  const { encryptedFileKey } = await account.call(files.key, { params: { id } })
  const { call, accountKey } = account
  const link = await shareFile(call, { id, encryptedFileKey, accountKey, origin: proxy.url })
  return {
    file,
    proxy,
    pathPrefix: '/api/share/',
    openPage: async (page) => void (await page.goto(link)),
    download: (page) => page.getByRole('button', { name: 'Download' }).click(),
    progressBar: (page) => page.getByRole('progressbar', { name: `Downloading ${file.name}` }),
    retry: (page) => page.getByRole('button', { name: 'Try again' }),
  }
}

const waitingForServer = (page: Page) => page.getByText('Waiting for the server', { exact: true })

const percentOf = async (progressBar: Locator): Promise<number> =>
  Number((await progressBar.getAttribute('aria-valuenow')) ?? 0)

/** Stops with more than half of the file downloaded; the returned function releases the rest. */
async function downloadHalf(scenario: DownloadScenario, page: Page): Promise<() => void> {
  const release = scenario.proxy.holdResponses(scenario.pathPrefix, 0.75 * bytes)
  await scenario.openPage(page)
  await scenario.download(page)
  await expect
    .poll(() => percentOf(scenario.progressBar(page)), { timeout: 240_000, intervals: [50] })
    .toBeGreaterThanOrEqual(50)
  return release
}

/** Expects the saved file to be unchanged and hardly any of it to have been fetched twice. */
async function expectComplete(
  { file, proxy, pathPrefix }: DownloadScenario,
  saved: { readonly sha256: string },
): Promise<void> {
  expect(saved.sha256).toBe(file.sha256)
  expect(proxy.forwardedBytes(pathPrefix)).toBeLessThan(bytes + maxRefetchedBytes)
}

const listPartialDownloads = async (context: BrowserContext): Promise<string[]> =>
  (await listOpfs(context.pages()[0] as Page)).filter((name) => name.startsWith('partial-'))

test.describe.configure({ timeout: 600_000 })

for (const [name, createScenario] of [
  ['an own file', createOwnDownload],
  ['a shared file', createSharedDownload],
] as const) {
  test(`FIL-14 SHR-04 a download of ${name} whose tab is closed midway resumes in another`, async ({
    context,
    server,
    folder,
    throughProxy,
  }) => {
    const scenario = await createScenario(server.url, folder)
    throughProxy(scenario.proxy, scenario.proxy.close)
    const first = await context.newPage()
    const release = await downloadHalf(scenario, first)
    await first.close()
    release()

    const second = await context.newPage()
    await scenario.openPage(second)
    const saved = await saveDownload(second, folder, () => scenario.download(second))

    await expectComplete(scenario, saved)
  })

  test(`FIL-14 SHR-04 a download of ${name} survives a crash of the server`, async ({
    page,
    server,
    folder,
    throughProxy,
  }) => {
    const scenario = await createScenario(server.url, folder)
    throughProxy(scenario.proxy, scenario.proxy.close)
    const saved = await saveDownload(page, folder, async () => {
      const release = await downloadHalf(scenario, page)
      await server.kill()
      const again = await startServer({ dataFolder: server.dataFolder })
      throughProxy(again, again.stop)
      scenario.proxy.setTarget(again.url)
      release()
    })

    await expectComplete(scenario, saved)
  })

  test(`FIL-17 SHR-04 a download of ${name} waits for a server that is away and resumes where it stopped`, async ({
    page,
    server,
    folder,
    throughProxy,
  }) => {
    const scenario = await createScenario(server.url, folder)
    throughProxy(scenario.proxy, scenario.proxy.close)
    const saved = await saveDownload(page, folder, async () => {
      const release = await downloadHalf(scenario, page)
      const reconnect = scenario.proxy.disconnect()
      release()
      await expect(waitingForServer(page)).toBeVisible()
      await waitForAttempts(scenario.proxy.rejectedConnections, 1)
      await expect(page.getByRole('alert')).toHaveCount(0)
      reconnect()
    })

    await expectComplete(scenario, saved)
  })
}

/** Finds which of these byte sequences (hexadecimal) occur in the OPFS of the page. */
const findInOpfs = (page: Page, wanted: readonly string[]): Promise<string[]> =>
  page.evaluate(async (sequences) => {
    const latin1 = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)
    const texts: string[] = []
    async function read(folder: FileSystemDirectoryHandle): Promise<void> {
      for await (const entry of folder.values()) {
        if (entry.kind === 'directory') await read(entry as FileSystemDirectoryHandle)
        else texts.push(latin1(await (await (entry as FileSystemFileHandle).getFile()).bytes()))
      }
    }
    await read(await navigator.storage.getDirectory())
    const textOf = (hex: string) => latin1(Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)))
    return sequences.filter((hex) => texts.some((text) => text.includes(textOf(hex))))
  }, wanted)

test('FIL-14 an interrupted download leaves no plaintext on the disk', async ({
  page,
  context,
  server,
  folder,
  throughProxy,
}) => {
  const scenario = await createOwnDownload(server.url, folder)
  throughProxy(scenario.proxy, scenario.proxy.close)
  const release = await downloadHalf(scenario, page)
  scenario.proxy.disconnect()
  release()
  await expect(waitingForServer(page)).toBeVisible()
  const plaintext = readFileSync(scenario.file.path)
  const samples = Array.from({ length: 48 }, (_, index) => {
    const start = Math.floor((index * bytes) / 48)
    return plaintext.toString('hex', start, start + 32)
  })

  expect(await listPartialDownloads(context)).toHaveLength(1)
  expect(await findInOpfs(page, samples)).toEqual([])
})

test('T037 sign-out deletes partial downloads', async ({ page, context, server, folder, throughProxy }) => {
  const scenario = await createOwnDownload(server.url, folder)
  throughProxy(scenario.proxy, scenario.proxy.close)
  const release = await downloadHalf(scenario, page)
  const reconnect = scenario.proxy.disconnect()
  await expect(waitingForServer(page)).toBeVisible()
  const partialsBefore = await listPartialDownloads(context)
  reconnect()

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()

  expect(partialsBefore).toHaveLength(1)
  await expect.poll(() => listPartialDownloads(context)).toEqual([])
  release()
})
