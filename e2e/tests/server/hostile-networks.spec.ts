import { systemClock } from '@sallyport/client/clock'
import { withBearer } from '@sallyport/client/http'
import { prepareRequest } from '@sallyport/client/request'
import { sendByFetch } from '@sallyport/client/upload/send-by-fetch'
import { sendBySocket } from '@sallyport/client/upload/send-by-socket'
import { files } from '@sallyport/contract/files'
import { maximumChunkBytes } from '@sallyport/contract/limits'
import { createFileHeader, createFileKey, deriveFileKeys, sealedSizeOf, sealName, wrapFileKey } from '@sallyport/crypto'
import { createAccount } from '../../support/account/account.ts'
import { dropZone, signUp } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { startHostileProxy } from '../../support/network/hostile-proxy.ts'
import { isNginxInstalled, nginxMissingMessage, startNginx, typicalSite } from '../../support/network/nginx.ts'
import { expect, test } from '../../support/network/proxied-journey.ts'

const megabyte = 1024 * 1024

test('FIL-07 behind a proxy that blocks large bodies and WebSockets, an upload fails with a message', async ({
  page,
  server,
  folder,
  throughProxy,
}) => {
  const proxy = await startHostileProxy(server.url, { maxBodyBytes: megabyte, rejectsSockets: true })
  throughProxy(proxy, proxy.close)
  const file = await makeRandomFile({ folder, name: 'stuck.bin', bytes: 9 * megabyte })
  await signUp(page, undefined, proxy.url)

  await dropFiles(page, dropZone(page), [file.path])

  await expect(page.getByRole('alert')).toContainText('Failed to upload stuck.bin: Upload failed: 413', {
    timeout: 240_000,
  })
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
