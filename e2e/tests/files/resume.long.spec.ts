import { mkdtemp, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { accounts } from '@sallyport/contract/accounts'
import { openFiles } from '../../support/account/open-files.ts'
import { dropZone, fileRow, signInRemembered, uploads } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { executablePath } from '../../support/browser/executable-path.ts'
import { watchForErrors } from '../../support/browser/guard.ts'
import { expectToast } from '../../support/browser/toasts.ts'
import {
  chunkBytes,
  expectComplete,
  expectSaved,
  fileBytes,
  halfOfChunks,
  megabytesSetting,
  stallAtHalf,
  test,
} from '../../support/files/interrupted-uploads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { resumableUploads } from '../../support/files/resumable-uploads.ts'
import { expect } from '../../support/journey.ts'
import { waitForAttempts } from '../../support/network/outage.ts'
import { startServer } from '../../support/server/server.ts'

const hour = 3_600_000
/** Longer than the retries of a chunk take. */
const offlineMs = megabytesSetting === undefined ? 8000 : 60_000

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

async function chooseWith(page: Page, openChooser: () => Promise<void>, path: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), openChooser()])
  await chooser.setFiles(path)
}
