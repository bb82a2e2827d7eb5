import { mkdtemp, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { accounts } from '@sallyport/contract/accounts'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from '../support/account.ts'
import { saveDownload } from '../support/downloads.ts'
import { dropFiles } from '../support/drop-files.ts'
import { guard } from '../support/guard.ts'
import { test as base, expect } from '../support/journey.ts'
import { killPages } from '../support/kill-pages.ts'
import { dropZone, expectFiles, fileRow, rememberedSignIn, signIn, signOut, uploads } from '../support/people.ts'
import { makeRandomFile, type RandomFile } from '../support/random-file.ts'
import { startServer } from '../support/server.ts'
import { expectToast } from '../support/toasts.ts'
import { openUploadGate, type UploadGate } from '../support/upload-gate.ts'
import { watchWakeLocks } from '../support/wake-locks.ts'

const megabyte = 1024 * 1024
const hour = 3_600_000
/** With `npm run journeys:gigabyte` the same is shown with a gigabyte, and with the network away for a minute. */
const wantedMegabytes = process.env['RESUME_MEGABYTES']
const fileBytes = Number(wantedMegabytes ?? 96) * megabyte + 17
/** At least longer than it takes until a chunk is given up. */
const awayMs = wantedMegabytes === undefined ? 8000 : 60_000
const chunkBytes = 16 * megabyte
const halfOfChunks = Math.floor(fileBytes / chunkBytes / 2)
const streams = 3

interface Interrupted {
  readonly gate: UploadGate
  readonly account: Account
  readonly file: RandomFile
  readonly folder: string
}

/** Everything passes a gate that counts chunks and can be shut half way. */
const test = base.extend<{ given: Interrupted }>({
  given: async ({ server, folder }, use) => {
    const gate = await openUploadGate(server.url)
    const account = await createAccount(server.url)
    await use({
      gate,
      account,
      folder,
      file: await makeRandomFile({ folder, name: 'site-photos.zip', bytes: fileBytes }),
    })
    await gate.close()
  },
  baseURL: async ({ given }, use) => use(given.gate.url),
})

test.describe.configure({ timeout: 300_000 })

const unfinished = (page: Page) => page.getByRole('region', { name: 'Uploads to continue' })

/** Begins the upload and holds everything back once half of it has passed. */
async function stopHalfWay(page: Page, { gate, file }: Pick<Interrupted, 'gate' | 'file'>): Promise<void> {
  const half = gate.holdFrom(halfOfChunks)
  await dropFiles(page, dropZone(page), [file.path])
  await half
}

/** The file arrives whole and comes back the same, and no stream sent more than one of its chunks twice. */
async function expectWhole(page: Page, { gate, file, folder }: Interrupted): Promise<void> {
  await expect(fileRow(page, file.name)).toBeVisible({ timeout: 90_000 })
  const count = Math.ceil(fileBytes / chunkBytes)
  expect(new Set(gate.chunks).size).toBe(count)
  expect(gate.chunks.length - count).toBeLessThanOrEqual(streams)
  await expectSaved(page, { file, folder })
}

async function expectSaved(page: Page, { file, folder }: Pick<Interrupted, 'file' | 'folder'>): Promise<void> {
  const download = () => fileRow(page, file.name).getByRole('button', { name: 'Download' }).click()
  expect((await saveDownload(page, folder, download)).sha256).toBe(file.sha256)
}

test('F12 an upload whose tab was killed half way goes on at the next visit with what is missing', async ({
  page,
  context,
  complaints,
  provoked,
  given,
}) => {
  provoked.push(/^the page crashed$/)
  await rememberedSignIn(page, given.account)
  await stopHalfWay(page, given)

  await killPages(context.browser() as Browser)
  await expect.poll(() => complaints).toContain('the page crashed')
  given.gate.cut()
  given.gate.release()
  const next = await context.newPage()
  await next.goto('/')

  await expect(unfinished(next).getByText(/^Stopped at [34]\d%$/)).toBeVisible()
  await page.close()
  await unfinished(next).getByRole('button', { name: 'Continue site-photos.zip' }).click()
  await expectWhole(next, given)
  await expect(unfinished(next)).toHaveCount(0)
})

test('an upload in a browser that was closed goes on the next day with the same file and with no other', async ({
  server,
  given,
  complaints,
}) => {
  const startBrowser = async () => {
    const browser = await chromium.launchPersistentContext(`${given.folder}/profile`, {
      executablePath: process.env['CHROMIUM_PATH'] ?? '',
      baseURL: given.gate.url,
      args: ['--no-sandbox'],
    })
    await guard(browser, complaints)
    return browser
  }
  const other = await makeRandomFile({
    folder: await mkdtemp(join(given.folder, 'other-')),
    name: 'site-photos.zip',
    bytes: fileBytes,
  })
  for (const { path } of [given.file, other]) await utimes(path, 1_700_000_000, 1_700_000_000)
  let browser = await startBrowser()
  const first = await browser.newPage()
  await rememberedSignIn(first, given.account)
  const half = given.gate.holdFrom(halfOfChunks)
  await choose(first, () => first.getByRole('button', { name: 'Choose Files' }).click(), given.file.path)
  await half
  await browser.close()
  given.gate.cut()
  given.gate.release()
  await server.setClock(20 * hour)

  browser = await startBrowser()
  const next = await browser.newPage()
  await next.goto('/')
  await expect(unfinished(next).getByText(/^Choose site-photos\.zip again to continue from [34]\d%$/)).toBeVisible()
  const chooseFile = () => unfinished(next).getByRole('button', { name: 'Choose file site-photos.zip' }).click()
  await choose(next, chooseFile, `${import.meta.dirname}/resume.spec.ts`)
  await expect(unfinished(next).getByRole('alert')).toContainText('This is not the same file')
  const sentBefore = given.gate.chunks.length
  await choose(next, chooseFile, other.path)
  const banner = next.getByRole('alert').filter({ hasText: 'Failed to upload site-photos.zip: ' })
  await expect(banner).toContainText('This is not the file that the upload was begun with')
  expect(given.gate.chunks.length).toBe(sentBefore)
  await banner.getByRole('button', { name: 'Dismiss' }).click()
  await choose(next, chooseFile, given.file.path)

  await expectWhole(next, given)
  await browser.close()
})

test('F12 a server that is killed half way is found again, and a failed upload goes on where it stopped', async ({
  page,
  server,
  given,
}) => {
  await signIn(page, given.account)
  await stopHalfWay(page, given)

  await server.kill()
  given.gate.release()
  const banner = page.getByRole('alert').filter({ hasText: 'Failed to upload site-photos.zip: ' })
  await expect(banner).toContainText(/Chunk \d+ failed after 3 attempts/, { timeout: 60_000 })
  const again = await startServer({ dataFolder: server.dataFolder })
  given.gate.leadTo(again.url)
  const sentBefore = new Set(given.gate.chunks).size
  await banner.getByRole('button', { name: 'Retry' }).click()
  await expect(fileRow(page, given.file.name)).toBeVisible({ timeout: 90_000 })

  expect(sentBefore).toBeGreaterThan(2)
  await expectSaved(page, given)
  await again.stop()
})

test('F25 an upload waits while the network is away and goes on by itself', async ({ page, context, given }) => {
  await signIn(page, given.account)
  await stopHalfWay(page, given)

  await context.setOffline(true)
  await expect(uploads(page).getByText('Paused', { exact: true })).toBeVisible()
  await expect(page.getByText('You’re offline. Transfers are paused.')).toBeVisible()
  await expect(uploads(page).getByText('Waiting for the network')).toBeVisible()
  given.gate.cut()
  given.gate.release()
  await new Promise((resolve) => setTimeout(resolve, awayMs))
  await expect(page.getByRole('alert')).toHaveCount(0)
  await context.setOffline(false)

  await expectToast(page, 'Back online, resuming')
  await expectWhole(page, given)
})

for (const hours of [2, -5]) {
  test(`an upload is not troubled by a clock that is moved ${hours} hours half way`, async ({ page, given }) => {
    await page.addInitScript(() => {
      const RealDate = Date
      const now = () => RealDate.now() + Number(Reflect.get(globalThis, 'movedMs') ?? 0)
      globalThis.Date = class extends RealDate {
        constructor(...given: [] | [number | string | Date]) {
          super(...((given.length === 0 ? [now()] : given) as [number]))
        }
        static override now = now
      } as DateConstructor
    })
    // A page whose clock is ahead takes files of a shorter life for expired.
    await given.account.call(accounts.saveSettings, { body: { defaultExpirationMinutes: 1440 } })
    await signIn(page, given.account)
    await stopHalfWay(page, given)

    await page.evaluate((movedMs) => Reflect.set(globalThis, 'movedMs', movedMs), hours * hour)
    await given.gate.holdFrom(halfOfChunks + 1)

    await expect(page.getByText(/\d B\/s|[KMG]B\/s/).first()).toBeVisible()
    given.gate.release()
    await expectWhole(page, given)
    expect(given.gate.chunks.length).toBe(Math.ceil(fileBytes / chunkBytes))
  })
}

test('an upload under way in one tab is not offered in another, and what is discarded gives its room back', async ({
  page,
  context,
  given,
}) => {
  await signIn(page, given.account)
  await stopHalfWay(page, given)
  const second = await context.newPage()
  await second.goto('/')
  await expectFiles(second)
  await expect(second.getByText('Upload files to see them here')).toBeVisible()
  await expect(unfinished(second)).toHaveCount(0)

  page.on('dialog', (dialog) => void dialog.accept())
  await page.close({ runBeforeUnload: false })
  given.gate.cut()
  given.gate.release()
  await second.reload()
  await expect(unfinished(second).getByRole('button', { name: 'Continue site-photos.zip' })).toBeVisible()
  expect((await given.account.call(files.openUploads, {})).uploads).toHaveLength(1)
  await unfinished(second).getByRole('button', { name: 'Discard site-photos.zip' }).click()

  await expect(unfinished(second)).toHaveCount(0)
  await expect.poll(async () => (await given.account.call(files.openUploads, {})).uploads).toEqual([])
  await second.reload()
  await expectFiles(second)
  await expect(unfinished(second)).toHaveCount(0)
})

test('T037 whoever signs out leaves nothing to go on with, here or on the server', async ({ page, given }) => {
  await signIn(page, given.account)
  await stopHalfWay(page, given)

  await signOut(page)

  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
  await expect.poll(async () => (await given.account.call(files.openUploads, {})).uploads).toEqual([])
  given.gate.release()
  await signIn(page, given.account)
  await expect(unfinished(page)).toHaveCount(0)
})

test('the screen is kept on while a file leaves, and not for longer', async ({ page, context, given }) => {
  const locksOf = await watchWakeLocks(context)
  const countLocks = () => locksOf(page)
  await signIn(page, given.account)
  const before = await countLocks()
  await stopHalfWay(page, given)

  await expect.poll(countLocks).toBe(1)
  given.gate.release()
  await expect(fileRow(page, given.file.name)).toBeVisible({ timeout: 90_000 })

  await expect.poll(countLocks).toBe(0)
  expect(before).toBe(0)
})

async function choose(page: Page, press: () => Promise<void>, path: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press()])
  await chooser.setFiles(path)
}
