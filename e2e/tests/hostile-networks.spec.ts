import type { Page } from '@playwright/test'
import { systemClock } from '@sallyport/client/clock'
import { withBearer } from '@sallyport/client/http'
import { prepareRequest } from '@sallyport/client/request'
import { sendByFetch } from '@sallyport/client/upload/send-by-fetch'
import { sendBySocket } from '@sallyport/client/upload/send-by-socket'
import { files } from '@sallyport/contract/files'
import { maximumChunkBytes } from '@sallyport/contract/limits'
import { createFileHeader, createFileKey, deriveFileKeys, sealedSizeOf, sealName, wrapFileKey } from '@sallyport/crypto'
import { createAccount } from '../support/account.ts'
import { expect, test } from '../support/behind.ts'
import { saveDownload } from '../support/downloads.ts'
import { dropFiles } from '../support/drop-files.ts'
import { startHostileProxy } from '../support/hostile-proxy.ts'
import { nginxIsHere, nginxMissing, sampleSite, startNginx, usualSite } from '../support/nginx.ts'
import { dropZone, fileRow, signUp } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'

const megabyte = 1024 * 1024

/** Signs up by way of an address, sends a file up and down again, and looks whether it is the same. */
async function passThrough(page: Page, { url, folder, bytes }: { url: string; folder: string; bytes: number }) {
  const file = await makeRandomFile({ folder, name: 'passing.bin', bytes })
  await signUp(page, undefined, url)
  await dropFiles(page, dropZone(page), [file.path])
  await expect(fileRow(page, file.name)).toBeVisible({ timeout: 120_000 })
  const saved = await saveDownload(page, folder, () =>
    fileRow(page, file.name).getByRole('button', { name: 'Download' }).click(),
  )
  expect(saved.sha256).toBe(file.sha256)
}

for (const [name, mostBodyBytes] of [
  ['takes no bodies over a megabyte', megabyte],
  ['takes no bodies to speak of', 4096],
] as const) {
  test(`FIL-07 F23 behind a proxy that ${name}, files travel over a socket and come back the same`, async ({
    page,
    server,
    folder,
    between,
  }) => {
    const proxy = await startHostileProxy(server.url, { mostBodyBytes })
    between(proxy, proxy.close)
    const small = await makeRandomFile({ folder, name: 'small.bin', bytes: 3 * megabyte })

    await passThrough(page, { url: proxy.url, folder, bytes: 20 * megabyte + 7 })
    await dropFiles(page, dropZone(page), [small.path])
    await expect(fileRow(page, small.name)).toBeVisible({ timeout: 60_000 })

    // What the first upload has found out, the second knows.
    expect(new Set(proxy.refused)).toEqual(new Set(['/api/upload-chunk']))
    expect(proxy.refused.length).toBeLessThanOrEqual(3)
    expect(proxy.sockets).toContain('/api/ws-upload')
  })
}

test('FIL-07 behind a proxy that takes neither bodies nor sockets, an upload fails in words', async ({
  page,
  server,
  folder,
  between,
}) => {
  const proxy = await startHostileProxy(server.url, { mostBodyBytes: megabyte, refusesSockets: true })
  between(proxy, proxy.close)
  const file = await makeRandomFile({ folder, name: 'stuck.bin', bytes: 9 * megabyte })
  await signUp(page, undefined, proxy.url)

  await dropFiles(page, dropZone(page), [file.path])

  await expect(page.getByRole('alert')).toContainText('Failed to upload stuck.bin: Upload failed: 413', {
    timeout: 60_000,
  })
})

test('FIL-05 F24 behind a proxy that cuts every connection, a file travels up and down in pieces', async ({
  page,
  server,
  folder,
  between,
}) => {
  test.setTimeout(240_000)
  const proxy = await startHostileProxy(server.url, { cutAfterMs: 2500 })
  between(proxy, proxy.close)

  await passThrough(page, { url: proxy.url, folder, bytes: 60 * megabyte + 7 })

  await expect.poll(() => proxy.cuts()).toBeGreaterThan(0)
})

for (const [name, site] of [
  ['as most people set it up', usualSite({ buffersRequests: true })],
  ['that does not gather requests', usualSite({ buffersRequests: false })],
  ['set up as the sample says', sampleSite()],
] as const) {
  test(`FIL-04 F23 behind nginx ${name}, files travel up and down the same`, async ({
    page,
    server,
    folder,
    between,
  }) => {
    test.skip(!nginxIsHere, nginxMissing)
    const nginx = await startNginx(server.url, site)
    between(nginx, nginx.stop)

    await passThrough(page, { url: nginx.url, folder, bytes: 34 * megabyte + 7 })
  })
}

test('FIL-07 the longest chunks, too long for nginx by the seals of their records, pass it over a socket', async ({
  server,
  between,
}) => {
  test.skip(!nginxIsHere, nginxMissing)
  const nginx = await startNginx(server.url, usualSite({ buffersRequests: true }))
  between(nginx, nginx.stop)
  const { accountKey, accessToken } = await createAccount(server.url)
  const fileKey = createFileKey()
  const header = createFileHeader({ kind: 'personal', plainBytes: maximumChunkBytes + 1 })
  const keys = await deriveFileKeys(fileKey, header)
  const headers = {
    'x-upload-id': crypto.randomUUID(),
    'x-chunk-index': '0',
    'x-chunk-size': String(maximumChunkBytes),
    'x-file-name': await sealName({ name: 'long.bin', mimeType: '', lastModified: 0 }, keys),
    'x-encrypted-file-key': await wrapFileKey({ fileKey, keys, root: accountKey, wrapType: 'account' }),
  }
  const request = withBearer(prepareRequest(files.uploadChunk, { headers }, nginx.url), accessToken)
  const body = new Uint8Array(sealedSizeOf(maximumChunkBytes, header.recordBytes))
  const openSocket = (url: string) => new WebSocket(url, { headers: { origin: nginx.url } } as never)
  const means = { fetch, clock: systemClock, origin: nginx.url, openSocket }
  const work = { request, body, timeoutMs: 60_000, onSent: () => undefined, signal: new AbortController().signal }

  const byRequest = await sendByFetch(means)({ ...work, way: 'request' })
  const bySocket = await sendBySocket(means)({ ...work, way: 'socket' })

  expect(byRequest).toMatchObject({ kind: 'answered', status: 413 })
  expect(bySocket).toMatchObject({ kind: 'answered', status: 200 })
})
