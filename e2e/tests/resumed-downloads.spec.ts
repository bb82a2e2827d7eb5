import { openAsBlob, readFileSync } from 'node:fs'
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../support/account.ts'
import { expect, test } from '../support/behind.ts'
import { saveDownload } from '../support/downloads.ts'
import { type HostileProxy, startHostileProxy } from '../support/hostile-proxy.ts'
import { fileRow, passwordBox, signIn } from '../support/people.ts'
import { privateFiles } from '../support/private-files.ts'
import { makeRandomFile, type RandomFile } from '../support/random-file.ts'
import { startServer } from '../support/server.ts'

const megabyte = 1024 * 1024
/** With `npm run journeys:gigabyte` the same is shown with a gigabyte. */
const megabytes = Number(process.env['RESUME_MEGABYTES'] ?? 24)
const bytes = megabytes * megabyte + 7
/** So slow that what is there is noted as it comes: of what comes in half a second, some may be fetched twice. */
const mostBytesPerSecond = (megabytes / 4) * megabyte
/** What may be fetched twice: what was on its way when the line was lost. */
const mostTwice = 8 * megabyte

/** Somebody on the way to a file, whose line is slow enough to be lost in the middle. */
interface Visit {
  /** Shows the file on a page that was just opened, in a browser that may have been here before. */
  arrive(page: Page): Promise<void>
  download(page: Page): Promise<void>
  bar(page: Page): Locator
  retry(page: Page): Locator
  readonly file: RandomFile
  readonly proxy: HostileProxy
  readonly paths: string
}

async function anOwner(url: string, folder: string) {
  const file = await makeRandomFile({ folder, name: 'long.bin', bytes })
  const account = await createAccount(url)
  const id = await account.upload(new File([await openAsBlob(file.path)], file.name), 60)
  const proxy = await startHostileProxy(url, { mostBytesPerSecond })
  return { file, account, id, proxy }
}

async function ownVisit(url: string, folder: string): Promise<Visit> {
  const { file, account, proxy } = await anOwner(url, folder)
  const card = (page: Page) => page.getByRole('region', { name: 'Downloads' })
  return {
    file,
    proxy,
    paths: '/api/download/',
    async arrive(page) {
      const isFirst = page.context().pages().length === 1 && (await page.context().storageState()).origins.length === 0
      if (isFirst) return signIn(page, account, proxy.url)
      await page.goto(proxy.url)
      await passwordBox(page, 'Password').fill(account.password)
      await page.getByRole('button', { name: 'Unlock' }).click()
    },
    download: (page) => fileRow(page, file.name).getByRole('button', { name: 'Download' }).click(),
    bar: (page) => card(page).getByRole('progressbar', { name: `Unsealing ${file.name}` }),
    retry: (page) => card(page).getByRole('button', { name: `Retry ${file.name}` }),
  }
}

async function sharedVisit(url: string, folder: string): Promise<Visit> {
  const { file, account, id, proxy } = await anOwner(url, folder)
  const { encryptedFileKey } = await account.call(files.key, { params: { id } })
  const { call, accountKey } = account
  const link = await shareFile(call, { id, encryptedFileKey, accountKey, origin: proxy.url })
  return {
    file,
    proxy,
    paths: '/api/share/',
    arrive: async (page) => void (await page.goto(link)),
    download: (page) => page.getByRole('button', { name: 'Download' }).click(),
    bar: (page) => page.getByRole('progressbar', { name: `Downloading ${file.name}` }),
    retry: (page) => page.getByRole('button', { name: 'Try again' }),
  }
}

const shareOf = async (bar: Locator): Promise<number> => Number((await bar.getAttribute('aria-valuenow')) ?? 0)

/** Stops with more than half of the file there; the rest comes when the answer is called. */
async function downloadHalf(visit: Visit, page: Page): Promise<() => void> {
  const letGo = visit.proxy.holdAnswers(visit.paths, 0.75 * bytes)
  await visit.arrive(page)
  await visit.download(page)
  await expect.poll(() => shareOf(visit.bar(page)), { timeout: 60_000, intervals: [50] }).toBeGreaterThanOrEqual(50)
  return letGo
}

/** What is saved is the file, and hardly any of it was fetched twice. */
async function expectWhole({ file, proxy, paths }: Visit, saved: { readonly sha256: string }): Promise<void> {
  expect(saved.sha256).toBe(file.sha256)
  expect(proxy.passedBytes(paths)).toBeLessThan(bytes + mostTwice)
}

const partials = async (context: BrowserContext): Promise<string[]> =>
  (await privateFiles(context.pages()[0] as Page)).filter((name) => name.startsWith('partial-'))

test.describe.configure({ timeout: 300_000 })

for (const [name, visitTo] of [
  ['one’s own file', ownVisit],
  ['a shared file', sharedVisit],
] as const) {
  test(`FIL-14 SHR-04 a download of ${name} whose tab is closed half way goes on in another`, async ({
    context,
    server,
    folder,
    between,
  }) => {
    const visit = await visitTo(server.url, folder)
    between(visit.proxy, visit.proxy.close)
    const first = await context.newPage()
    const letGo = await downloadHalf(visit, first)
    await first.close()
    letGo()

    const second = await context.newPage()
    await visit.arrive(second)
    const saved = await saveDownload(second, folder, () => visit.download(second))

    await expectWhole(visit, saved)
  })

  test(`FIL-14 SHR-04 a download of ${name} outlives the sudden end of the server`, async ({
    page,
    server,
    folder,
    between,
  }) => {
    const visit = await visitTo(server.url, folder)
    between(visit.proxy, visit.proxy.close)
    const saved = await saveDownload(page, folder, async () => {
      const letGo = await downloadHalf(visit, page)
      await server.kill()
      const again = await startServer({ dataFolder: server.dataFolder })
      between(again, again.stop)
      visit.proxy.lead(again.url)
      letGo()
    })

    await expectWhole(visit, saved)
  })

  test(`FIL-17 SHR-04 a download of ${name} that failed for want of a network is taken up where it was`, async ({
    page,
    server,
    folder,
    between,
  }) => {
    const visit = await visitTo(server.url, folder)
    between(visit.proxy, visit.proxy.close)
    const letGo = await downloadHalf(visit, page)
    const restore = visit.proxy.drop()
    letGo()
    await expect(visit.retry(page)).toBeVisible({ timeout: 30_000 })
    restore()

    const saved = await saveDownload(page, folder, () => visit.retry(page).click())

    await expectWhole(visit, saved)
  })
}

/** Which of these byte sequences, in hex, lie in the private files of the page. */
const findInPrivateFiles = (page: Page, wanted: readonly string[]): Promise<string[]> =>
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

test('FIL-14 an interrupted download leaves no plain bytes of its file on the disk', async ({
  page,
  context,
  server,
  folder,
  between,
}) => {
  const visit = await ownVisit(server.url, folder)
  between(visit.proxy, visit.proxy.close)
  const letGo = await downloadHalf(visit, page)
  visit.proxy.drop()
  letGo()
  await expect(visit.retry(page)).toBeVisible({ timeout: 30_000 })
  const plain = readFileSync(visit.file.path)
  const samples = Array.from({ length: 48 }, (_, index) => {
    const start = Math.floor((index * bytes) / 48)
    return plain.toString('hex', start, start + 32)
  })

  expect(await partials(context)).toHaveLength(1)
  expect(await findInPrivateFiles(page, samples)).toEqual([])
})

test('T037 whoever signs out takes along what was half downloaded', async ({
  page,
  context,
  server,
  folder,
  between,
}) => {
  const visit = await ownVisit(server.url, folder)
  between(visit.proxy, visit.proxy.close)
  const letGo = await downloadHalf(visit, page)
  const restore = visit.proxy.drop()
  letGo()
  await expect(visit.retry(page)).toBeVisible({ timeout: 30_000 })
  restore()
  const before = await partials(context)

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()

  expect(before).toHaveLength(1)
  await expect.poll(() => partials(context)).toEqual([])
})
