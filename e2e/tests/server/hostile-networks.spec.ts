import { systemClock } from '@sallyport/client/clock'
import { withBearer } from '@sallyport/client/http'
import { prepareRequest } from '@sallyport/client/request'
import { files } from '@sallyport/contract/files'
import { maximumChunkBytes } from '@sallyport/contract/limits'
import { createFileHeader, createFileKey, deriveFileKeys, sealedSizeOf, sealName, wrapFileKey } from '@sallyport/crypto'
import { sendBySocket } from '@sallyport/transfers/engine/upload/send-by-socket'
import { sendByFetch } from '@sallyport/transfers/node/send-by-fetch'
import { createAccount } from '../../support/account/account.ts'
import { dropZone, fileRow, signUp } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { startHostileProxy } from '../../support/network/hostile-proxy.ts'
import { isNginxInstalled, nginxMissingMessage, startNginx, typicalSite } from '../../support/network/nginx.ts'
import { expect, test } from '../../support/network/proxied-journey.ts'

const megabyte = 1024 * 1024

test('FIL-07 F23 behind a proxy that takes bodies of 1 MB and no WebSockets, files are uploaded record by record', async ({
  page,
  server,
  folder,
  throughProxy,
}) => {
  const proxy = await startHostileProxy(server.url, { maxBodyBytes: megabyte, rejectsSockets: true })
  throughProxy(proxy, proxy.close)
  const file = await makeRandomFile({ folder, name: 'large.bin', bytes: 9 * megabyte + 7 })
  const small = await makeRandomFile({ folder, name: 'small.bin', bytes: 3 * megabyte })
  await signUp(page, undefined, proxy.url)

  await dropFiles(page, dropZone(page), [file.path])
  await expect(fileRow(page, file.name)).toBeVisible({ timeout: 240_000 })
  const rejectedUploads = () => proxy.rejectedPaths.filter((path) => path.includes('upload')).length
  const rejected = rejectedUploads()
  await dropFiles(page, dropZone(page), [small.path])
  await expect(fileRow(page, small.name)).toBeVisible({ timeout: 240_000 })

  // The second upload reuses what the first one has learned about the proxy.
  expect(rejectedUploads()).toBe(rejected)
  for (const { name, sha256 } of [file, small]) {
    const button = fileRow(page, name).getByRole('button', { name: 'Download' })
    expect((await saveDownload(page, folder, () => button.click())).sha256).toBe(sha256)
  }
})

test('FIL-07 behind a proxy that blocks all bodies and WebSockets, an upload fails with what to do about it', async ({
  page,
  server,
  folder,
  throughProxy,
}) => {
  const proxy = await startHostileProxy(server.url, { maxBodyBytes: megabyte / 4, rejectsSockets: true })
  throughProxy(proxy, proxy.close)
  const file = await makeRandomFile({ folder, name: 'stuck.bin', bytes: 2 * megabyte })
  await signUp(page, undefined, proxy.url)

  await dropFiles(page, dropZone(page), [file.path])

  const message = 'Failed to upload stuck.bin: A proxy between you and the server rejects uploads'
  await expect(page.getByRole('alert')).toContainText(message, { timeout: 240_000 })
})

test('FIL-07 the longest chunks, which exceed the nginx body limit by their tags, pass over a WebSocket', async ({
  server,
  throughProxy,
}) => {
  test.skip(!isNginxInstalled, nginxMissingMessage)
  const nginx = await startNginx(server.url, typicalSite({ buffersRequests: true }))
  throughProxy(nginx, nginx.stop)
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
  const transportDeps = { fetch, clock: systemClock, origin: nginx.url, openSocket }
  const transportRequest = {
    request,
    body,
    timeoutMs: 60_000,
    onSent: () => undefined,
    signal: new AbortController().signal,
  }

  const fetchResult = await sendByFetch(transportDeps)({ ...transportRequest, transport: 'request' })
  const socketResult = await sendBySocket(transportDeps)({ ...transportRequest, transport: 'socket' })

  expect(fetchResult).toMatchObject({ kind: 'answered', status: 413 })
  expect(socketResult).toMatchObject({ kind: 'answered', status: 200 })
})
