import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { formatBytes } from '@sallyport/contract/formats'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow } from '../../support/account/users.ts'
import { listOpfs } from '../../support/browser/opfs.ts'
import { withoutOpfs } from '../../support/browser/without-opfs.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { sha256OfBytes } from '../../support/files/random-file.ts'
import { downloads, listServiceWorkers, startDownload } from '../../support/files/service-worker.ts'
import { expect, test } from '../../support/journey.ts'
import { startHostileProxy } from '../../support/network/hostile-proxy.ts'

const megabyte = 1024 * 1024

const webBuild = fileURLToPath(new URL('../../../apps/web/dist', import.meta.url))

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

test('T037 FIL-17 cancelling a download in the page ends it in the browser, and its URL returns 410', async ({
  page,
  context,
  server,
}) => {
  test.setTimeout(600_000)
  const account = await createAccount(server.url)
  await account.upload(new File([randomBytes(101 * megabyte)], 'long.bin'))
  await withoutOpfs(context)
  const proxy = await startHostileProxy(server.url, {})
  const release = proxy.holdResponses('/api/download/', 20 * megabyte)
  await openFiles(page, account, proxy.url)
  const addresses: string[] = []
  context.on('request', (request) => addresses.push(request.url()))
  const [download] = await Promise.all([page.waitForEvent('download'), startDownload(page, 'long.bin')])

  await downloads(page).getByRole('button', { name: 'Cancel' }).click()
  release()

  expect(await download.failure()).not.toBeNull()
  const status = await page.evaluate(async (address) => {
    const frame = document.createElement('iframe')
    frame.src = address
    document.body.append(frame)
    await new Promise((resolve) => frame.addEventListener('load', resolve))
    return performance.getEntriesByName(address).map((entry) => (entry as PerformanceResourceTiming).responseStatus)
  }, download.url())
  expect(new Set(status)).toEqual(new Set([410]))
  await proxy.close()
})

test('FIL-14 FIL-15 the service worker saves a file of 24 MB and leaves nothing of it in the private file system', async ({
  page,
  folder,
  server,
}) => {
  const bytes = await openPlans(page, server.url, 24 * megabyte)

  const saved = await saveDownload(page, folder, () => startDownload(page, 'plans.bin'))
  await expect(downloads(page).getByText('Saved')).toBeVisible()

  expect([saved.name, saved.sha256]).toEqual(['plans.bin', sha256OfBytes(bytes)])
  expect(await listServiceWorkers(page)).toEqual([expect.stringMatching(/ \/api\/$/)])
  await expect.poll(() => listOpfs(page)).toEqual([])
})

test('FIL-10 FIL-15 a download has the size in the header of its file, whatever the server’s list says', async ({
  page,
  folder,
  server,
}) => {
  await page.route('**/api/files', async (route) => {
    const response = await route.fetch()
    const { files: listed, ...rest } = await response.json()
    await route.fulfill({ response, json: { ...rest, files: listed.map((file: object) => ({ ...file, size: 5 })) } })
  })
  const bytes = await openPlans(page, server.url)
  await expect(fileRow(page, 'plans.bin')).toContainText(formatBytes(5))

  const saved = await saveDownload(page, folder, () => startDownload(page, 'plans.bin'))

  await expect(downloads(page).getByText('Saved')).toBeVisible()
  await expect(downloads(page)).toContainText(formatBytes(bytes.length))
  expect(saved.sha256).toBe(sha256OfBytes(bytes))
})

test('FIL-15 a file whose lock the browser refuses is saved once it is complete, without the service worker', async ({
  page,
  folder,
  server,
}) => {
  await page.addInitScript(() => {
    const { request } = LockManager.prototype
    LockManager.prototype.request = function (name: string, ...rest: unknown[]) {
      // The name of the lock of a download is its handle.
      const isHandle = name.startsWith('h.')
      return isHandle ? Promise.reject(new DOMException('Not here')) : Reflect.apply(request, this, [name, ...rest])
    }
  })
  const bytes = await openPlans(page, server.url)

  const saved = await saveDownload(page, folder, () => startDownload(page, 'plans.bin'))

  expect(saved.sha256).toBe(sha256OfBytes(bytes))
  await expect.poll(() => listLocks(page)).not.toContain('decrypt-worker-serving')
})

/** Opens the files of a new account with one file, `plans.bin`, and returns its bytes. */
async function openPlans(page: Page, url: string, length = 6 * megabyte): Promise<Uint8Array> {
  const account = await createAccount(url)
  const bytes = randomBytes(length + 7)
  await account.upload(new File([bytes], 'plans.bin'))
  await openFiles(page, account)
  return bytes
}

const listLocks = (page: Page) =>
  page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name))

test('FIL-17 a download that the user cancels in the browser ends as cancelled in the page', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File([randomBytes(24 * megabyte)], 'plans.bin'))
  const proxy = await startHostileProxy(server.url, {})
  const release = proxy.holdResponses('/api/download/', 12 * megabyte)
  await openFiles(page, account, proxy.url)
  const [download] = await Promise.all([page.waitForEvent('download'), startDownload(page, 'plans.bin')])

  await download.cancel()
  release()

  await expect(downloads(page)).toContainText('Download was cancelled')
  await expect(downloads(page).getByRole('button', { name: 'Download again plans.bin' })).toBeVisible()
  await expect.poll(() => listOpfs(page)).toEqual([])
  await proxy.close()
})

test('T186 service workers of earlier builds and all caches are removed when the page loads', async ({
  page,
  server,
}) => {
  // Not a page of the app, which would remove what is registered here while it loads.
  await page.goto('/theme.js')
  const script = readdirSync(webBuild).find((name) => /^decrypt-worker-\w+\.js$/.test(name))
  await page.evaluate(async (path) => {
    const { trustedTypes } = globalThis as unknown as { trustedTypes: TrustedTypes }
    const address = trustedTypes.createPolicy('sallyport', { createScriptURL: (url) => url }).createScriptURL(path)
    await navigator.serviceWorker.register(address, { scope: '/api/' })
    await (await caches.open('of-an-earlier-build')).put('/kept', new Response('old'))
  }, `${server.url}/${script}?earlier`)
  expect((await listServiceWorkers(page)).length).toBe(1)

  await page.goto('/')

  await expect.poll(() => listServiceWorkers(page)).toEqual([])
  expect(await page.evaluate(() => caches.keys())).toEqual([])
})

test('SHR-04 FIL-15 a shared file over 100 MB is saved by the service worker without an account', async ({
  page,
  context,
  folder,
  server,
}) => {
  test.setTimeout(600_000)
  const account = await createAccount(server.url)
  const bytes = randomBytes(101 * megabyte)
  const id = await account.upload(new File([bytes], 'for-you.iso'))
  const { accountKey, call } = account
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  const link = await shareFile(call, { id, encryptedFileKey, accountKey, origin: server.url })
  await withoutOpfs(context)
  await page.goto(link)

  const saved = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download' }).click())

  expect([saved.name, saved.sha256]).toEqual(['for-you.iso', sha256OfBytes(bytes)])
  expect(await listServiceWorkers(page)).toEqual([expect.stringMatching(/ \/api\/$/)])
  await expect(page.getByText('Complete')).toBeVisible()
})
