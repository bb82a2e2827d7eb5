import { mkdtemp, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { accounts } from '@sallyport/contract/accounts'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { dropZone, expectFiles, fileRow, signInRemembered, signOut, uploads } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { executablePath } from '../../support/browser/executable-path.ts'
import { watchForErrors } from '../../support/browser/guard.ts'
import { killPages } from '../../support/browser/kill-pages.ts'
import { expectToast } from '../../support/browser/toasts.ts'
import { trackWakeLocks } from '../../support/browser/wake-locks.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile, type RandomFile } from '../../support/files/random-file.ts'
import { test as base, expect } from '../../support/journey.ts'
import { waitForAttempts } from '../../support/network/outage.ts'
import { startUploadProxy, type UploadProxy } from '../../support/network/upload-proxy.ts'
import { startServer } from '../../support/server/server.ts'

const megabyte = 1024 * 1024
const hour = 3_600_000
/** `npm run journeys:gigabyte` runs the same with 1 GB and 1 minute offline. */
const megabytesSetting = process.env['LARGE_FILE_MEGABYTES']
const fileBytes = Number(megabytesSetting ?? 96) * megabyte + 17
/** Longer than the retries of a chunk take. */
const offlineMs = megabytesSetting === undefined ? 8000 : 60_000
const chunkBytes = 16 * megabyte
const halfOfChunks = Math.floor(fileBytes / chunkBytes / 2)
const maxStreams = 3

interface UploadSetup {
  readonly proxy: UploadProxy
  readonly account: Account
  readonly file: RandomFile
  readonly folder: string
}

/** All traffic passes a proxy that counts chunks and can stall uploads midway. */
const test = base.extend<{ setup: UploadSetup; killMidway: () => Promise<Page> }>({
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

test.describe.configure({ timeout: 600_000 })

const resumableUploads = (page: Page) => page.getByRole('region', { name: 'Uploads to resume' })

/** Starts the upload and stalls it at half. */
async function stallAtHalf(page: Page, { proxy, file }: Pick<UploadSetup, 'proxy' | 'file'>): Promise<void> {
  const stalled = proxy.holdChunksFrom(halfOfChunks)
  await dropFiles(page, dropZone(page), [file.path])
  await stalled
}

/** Expects the file to be complete and unchanged, and no stream to have sent more than 1 chunk twice. */
async function expectComplete(page: Page, { proxy, file, folder }: UploadSetup): Promise<void> {
  await expect(fileRow(page, file.name)).toBeVisible({ timeout: 360_000 })
  const count = Math.ceil(fileBytes / chunkBytes)
  expect(new Set(proxy.chunks).size).toBe(count)
  expect(proxy.chunks.length - count).toBeLessThanOrEqual(maxStreams)
  await expectSaved(page, { file, folder })
}

async function expectSaved(page: Page, { file, folder }: Pick<UploadSetup, 'file' | 'folder'>): Promise<void> {
  const download = () => fileRow(page, file.name).getByRole('button', { name: 'Download' }).click()
  expect((await saveDownload(page, folder, download)).sha256).toBe(file.sha256)
}

test('F12 an upload whose tab was killed midway resumes at the next visit with the missing chunks', async ({
  page,
  setup,
  killMidway,
}) => {
  const next = await killMidway()
  await next.goto('/')

  await expect(resumableUploads(next).getByText(/^Paused at [34]\d%$/)).toBeVisible()
  await page.close()
  await resumableUploads(next).getByRole('button', { name: 'Resume site-photos.zip' }).click()
  await expectComplete(next, setup)
  await expect(resumableUploads(next)).toHaveCount(0)
})

test('F12 a file that is dropped while its interrupted upload is still being checked resumes it', async ({
  page,
  setup,
  killMidway,
}) => {
  const next = await killMidway()
  const { promise: checked, resolve: answerChecks } = Promise.withResolvers<void>()
  await next.route('**/api/uploads/*', async (route) => {
    await checked
    await route.continue()
  })
  await next.goto('/')
  await page.close()

  await dropFiles(next, dropZone(next), [setup.file.path])
  answerChecks()
  await expectComplete(next, setup)
  await expect(resumableUploads(next)).toHaveCount(0)
})

test('an upload in a closed browser resumes the next day with the same file and no other', async ({
  server,
  setup,
  pageErrors,
}) => {
  const startBrowser = async () => {
    const browser = await chromium.launchPersistentContext(`${setup.folder}/profile`, {
      executablePath,
      baseURL: setup.proxy.url,
      args: ['--no-sandbox'],
    })
    await watchForErrors(browser, pageErrors)
    return browser
  }
  const other = await makeRandomFile({
    folder: await mkdtemp(join(setup.folder, 'other-')),
    name: 'site-photos.zip',
    bytes: fileBytes,
  })
  for (const { path } of [setup.file, other]) await utimes(path, 1_700_000_000, 1_700_000_000)
  let browser = await startBrowser()
  const first = await browser.newPage()
  await signInRemembered(first, setup.account)
  const stalled = setup.proxy.holdChunksFrom(halfOfChunks)
  await chooseWith(first, () => first.getByRole('button', { name: 'Choose Files' }).click(), setup.file.path)
  await stalled
  await browser.close()
  setup.proxy.cut()
  setup.proxy.release()
  await server.setClock(20 * hour)

  browser = await startBrowser()
  const next = await browser.newPage()
  await next.goto('/')
  await expect(resumableUploads(next).getByText(/^Choose site-photos\.zip again to resume at [34]\d%$/)).toBeVisible()
  const chooseFile = () => resumableUploads(next).getByRole('button', { name: 'Choose file site-photos.zip' }).click()
  await chooseWith(next, chooseFile, `${import.meta.dirname}/resume.spec.ts`)
  await expect(resumableUploads(next).getByRole('alert')).toContainText('This isn’t the same file')
  const sentBefore = setup.proxy.chunks.length
  await chooseWith(next, chooseFile, other.path)
  const banner = next.getByRole('alert').filter({ hasText: 'Failed to upload site-photos.zip: ' })
  await expect(banner).toContainText('This is not the file that the upload was begun with')
  expect(setup.proxy.chunks.length).toBe(sentBefore)
  await banner.getByRole('button', { name: 'Dismiss' }).click()
  await chooseWith(next, chooseFile, setup.file.path)

  await expectComplete(next, setup)
  await browser.close()
})

test('F12 after a server crash midway an upload waits and resumes by itself where it stopped', async ({
  page,
  server,
  setup,
}) => {
  await openFiles(page, setup.account)
  await stallAtHalf(page, setup)

  await server.kill()
  setup.proxy.release()
  await expect(uploads(page).getByText('Waiting for the server')).toBeVisible()
  await waitForAttempts(setup.proxy.failedConnections, 5)
  await expect(page.getByRole('alert')).toHaveCount(0)
  const restarted = await startServer({ dataFolder: server.dataFolder })
  setup.proxy.setTarget(restarted.url)
  const sentBefore = new Set(setup.proxy.chunks).size
  await expect(fileRow(page, setup.file.name)).toBeVisible({ timeout: 360_000 })

  expect(sentBefore).toBeGreaterThan(2)
  await expectSaved(page, setup)
  await restarted.stop()
})

test('F25 an upload pauses while the network is offline and resumes by itself', async ({ page, context, setup }) => {
  await openFiles(page, setup.account)
  await stallAtHalf(page, setup)

  await context.setOffline(true)
  await expect(uploads(page).getByText('Paused', { exact: true })).toBeVisible()
  await expect(page.getByText('You’re offline. Transfers are paused.')).toBeVisible()
  await expect(uploads(page).getByText('Waiting for the network')).toBeVisible()
  setup.proxy.cut()
  setup.proxy.release()
  await new Promise((resolve) => setTimeout(resolve, offlineMs))
  await expect(page.getByRole('alert')).toHaveCount(0)
  await context.setOffline(false)

  await expectToast(page, 'Back online, resuming')
  await expectComplete(page, setup)
})

for (const hours of [2, -5]) {
  test(`an upload is unaffected by a clock change of ${hours} hours midway`, async ({ page, setup }) => {
    await page.addInitScript(() => {
      const RealDate = Date
      const now = () => RealDate.now() + Number(Reflect.get(globalThis, 'movedMs') ?? 0)
      globalThis.Date = class extends RealDate {
        constructor(...args: [] | [number | string | Date]) {
          super(...((args.length === 0 ? [now()] : args) as [number]))
        }
        static override now = now
      } as DateConstructor
    })
    // A page whose clock is ahead would treat files with a shorter expiry as expired.
    await setup.account.call(accounts.saveSettings, { body: { defaultExpirationMinutes: 1440 } })
    await openFiles(page, setup.account)
    await stallAtHalf(page, setup)

    await page.evaluate((movedMs) => Reflect.set(globalThis, 'movedMs', movedMs), hours * hour)
    await setup.proxy.holdChunksFrom(halfOfChunks + 1)

    await expect(page.getByText(/\d B\/s|[KMG]B\/s/).first()).toBeVisible()
    setup.proxy.release()
    await expectComplete(page, setup)
    expect(setup.proxy.chunks.length).toBe(Math.ceil(fileBytes / chunkBytes))
  })
}

test('a running upload is not offered in another tab, and discarding one frees its quota', async ({
  page,
  context,
  setup,
}) => {
  await openFiles(page, setup.account)
  await stallAtHalf(page, setup)
  const second = await context.newPage()
  await second.goto('/')
  await expectFiles(second)
  await expect(second.getByText('Upload files to see them here')).toBeVisible()
  await expect(resumableUploads(second)).toHaveCount(0)

  page.on('dialog', (dialog) => void dialog.accept())
  await page.close({ runBeforeUnload: false })
  setup.proxy.cut()
  setup.proxy.release()
  await second.reload()
  await expect(resumableUploads(second).getByRole('button', { name: 'Resume site-photos.zip' })).toBeVisible()
  expect((await setup.account.call(files.openUploads, {})).uploads).toHaveLength(1)
  await resumableUploads(second).getByRole('button', { name: 'Discard site-photos.zip' }).click()

  await expect(resumableUploads(second)).toHaveCount(0)
  await expect.poll(async () => (await setup.account.call(files.openUploads, {})).uploads).toEqual([])
  await second.reload()
  await expectFiles(second)
  await expect(resumableUploads(second)).toHaveCount(0)
})

test('T037 sign-out discards interrupted uploads, in the browser and on the server', async ({ page, setup }) => {
  await openFiles(page, setup.account)
  await stallAtHalf(page, setup)

  await signOut(page)

  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
  await expect.poll(async () => (await setup.account.call(files.openUploads, {})).uploads).toEqual([])
  setup.proxy.release()
  await openFiles(page, setup.account)
  await expect(resumableUploads(page)).toHaveCount(0)
})

test('the screen stays on during an upload and no longer', async ({ page, context, setup }) => {
  await context.grantPermissions(['screen-wake-lock'])
  const countWakeLocks = await trackWakeLocks(context)
  const countOwnWakeLocks = () => countWakeLocks(page)
  await openFiles(page, setup.account)
  const locksBefore = await countOwnWakeLocks()
  await stallAtHalf(page, setup)

  await expect.poll(countOwnWakeLocks).toBe(1)
  setup.proxy.release()
  await expect(fileRow(page, setup.file.name)).toBeVisible({ timeout: 360_000 })

  await expect.poll(countOwnWakeLocks).toBe(0)
  expect(locksBefore).toBe(0)
})

async function chooseWith(page: Page, openChooser: () => Promise<void>, path: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), openChooser()])
  await chooser.setFiles(path)
}
