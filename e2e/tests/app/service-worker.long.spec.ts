import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow, signIn, storedKeys } from '../../support/account/users.ts'
import { withoutOpfs } from '../../support/browser/without-opfs.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { sha256OfBytes } from '../../support/files/random-file.ts'
import {
  downloads,
  listServiceWorkers,
  startDownload,
  withoutServiceWorkers,
} from '../../support/files/service-worker.ts'
import { expect, test } from '../../support/journey.ts'
import { startRecordingProxy } from '../../support/network/recording-proxy.ts'

const megabyte = 1024 * 1024

test('FIL-15 T162 without OPFS the service worker saves a file over 100 MB, and no key leaves the browser', async ({
  anotherBrowser,
  folder,
  server,
}) => {
  test.setTimeout(600_000)
  const account = await createAccount(server.url)
  const bytes = randomBytes(120 * megabyte)
  await account.upload(new File([bytes], 'Ångström “film”.mov'))
  const proxy = await startRecordingProxy(server.url, join(folder, 'recorded'))
  const context = await anotherBrowser({ baseURL: proxy.url })
  await withoutOpfs(context)
  const page = await context.newPage()
  await signIn(page, account)
  expect(await listServiceWorkers(page)).toEqual([])

  const [saved] = await Promise.all([
    saveDownload(page, folder, () => startDownload(page, 'film')),
    expect(downloads(page).getByText('Saved')).toBeVisible({ timeout: 480_000 }),
  ])

  expect([saved.name, saved.sha256]).toEqual(['Ångström “film”.mov', sha256OfBytes(bytes)])
  expect(await listServiceWorkers(page)).toEqual([expect.stringMatching(/^\/decrypt-worker-[0-9a-f]{12}\.js \/api\/$/)])
  const keys = await storedKeys(page)
  await context.close()
  await proxy.close()
  const requestBytes = readdirSync(proxy.folder)
    .filter((name) => name.endsWith('-sent.bin'))
    .map((name) => readFileSync(join(proxy.folder, name)).toString('latin1'))
    .join('')
  expect(keys).toHaveLength(2)
  expect(requestBytes).toContain('GET /api/download/')
  for (const secret of [...keys, 'sw_decrypt', 'master_key']) expect(requestBytes).not.toContain(secret)
})

test('T029 T164 a large file whose stream ends early is a failed download in the browser too', async ({
  page,
  context,
  server,
}) => {
  test.setTimeout(600_000)
  const account = await createAccount(server.url)
  const id = await account.upload(new File([randomBytes(101 * megabyte)], 'cut.bin'))
  await truncateStoredFile(server.dataFolder, id)
  await withoutOpfs(context)
  await openFiles(page, account)

  const [download] = await Promise.all([page.waitForEvent('download'), startDownload(page, 'cut.bin')])

  expect(await download.failure()).not.toBeNull()
  await expect(downloads(page)).toContainText('The server has lost this file', { timeout: 240_000 })
})

test('FIL-15 without a service worker too, a large file is buffered in memory, and the page shows a message', async ({
  page,
  context,
  folder,
  server,
}) => {
  test.setTimeout(600_000)
  const account = await createAccount(server.url)
  const bytes = randomBytes(101 * megabyte)
  await account.upload(new File([bytes], 'heavy.bin'))
  await withoutOpfs(context)
  await withoutServiceWorkers(page)
  await openFiles(page, account)

  const [saved] = await Promise.all([
    saveDownload(page, folder, () => startDownload(page, 'heavy.bin')),
    expect(page.getByText('the file is held in memory')).toBeVisible({ timeout: 240_000 }),
  ])

  expect(saved.sha256).toBe(sha256OfBytes(bytes))
})

/** Deletes the last object of a stored file, so that the server aborts midway. */
async function truncateStoredFile(dataFolder: string, fileId: string): Promise<void> {
  const volume = join(dataFolder, 'volumes', 'main')
  const objects = readdirSync(volume, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes(`${fileId}/`),
  )
  await unlink(join(volume, objects.sort().at(-1) ?? ''))
}

test('FIL-15 T037 a long video seeks without a full download, and its key is dropped with the preview', async ({
  page,
  context,
  server,
}) => {
  test.setTimeout(600_000)
  const account = await createAccount(server.url)
  const bytes = randomBytes(101 * megabyte + 9)
  await account.upload(new File([bytes], 'film.mp4'))
  await openFiles(page, account)
  const [videoRequest] = await Promise.all([
    page.waitForRequest((request) => request.url().includes('sw_decrypt=')),
    fileRow(page, 'film.mp4').getByRole('button', { name: 'film.mp4' }).first().click(),
  ])
  const address = videoRequest.url()
  const fetchRange = (range: string) =>
    page.evaluate(
      async ([url, range]) => {
        const response = await fetch(url as string, { headers: { Range: range as string } })
        const body = new Uint8Array(await response.arrayBuffer())
        const { headers, status } = response
        return { status, range: headers.get('Content-Range'), type: headers.get('Content-Type'), body: [...body] }
      },
      [address, range],
    )

  const size = bytes.length
  for (const [range, start, end] of [
    ['bytes=0-9', 0, 9],
    ['bytes=524280-524300', 524_280, 524_300],
    ['bytes=-5', size - 5, size - 1],
    [`bytes=${size - 3}-`, size - 3, size - 1],
  ] as const) {
    expect(await fetchRange(range)).toEqual({
      status: 206,
      range: `bytes ${start}-${end}/${size}`,
      type: 'video/mp4',
      body: [...bytes.subarray(start, end + 1)],
    })
  }
  expect((await fetchRange(`bytes=${size}-`)).status).toBe(416)
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await fetchRange('bytes=0-9')).status).toBe(410)

  const contextResponse = await context.request.get(address, {
    headers: { authorization: `Bearer ${account.accessToken}` },
  })
  expect([contextResponse.status(), (await contextResponse.json()).code]).toEqual([400, 'KEY_IN_REQUEST'])
  await page.reload()
  await expect.poll(() => listServiceWorkers(page)).toEqual([])
})
