import { randomBytes } from 'node:crypto'
import { shareLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { openRawReader } from '../../../testing/clients/raw-reader.ts'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { onFileServer, startFileServer } from '../../../testing/servers/file-server.ts'

const megabyte = 1024 * 1024
const extendEveryMs = 20
const minute = 60_000

onFileServer(
  'SHR-04 a download in progress keeps its slot, however long it takes and whatever ends at another node',
  async (server) => {
    const another = await startFileServer(server, { extendEveryMs })
    try {
      const owner = await server.createUser()
      const file = await sealFile({ plainBytes: 24 * megabyte, chunkBytes: 4 * megabyte })
      const fileId = await server.store(owner, file, { 'x-file-expiration-minutes': '10080' })
      const shareEncryptedFileKey = await file.wrap('share', new Uint8Array(randomBytes(32)))
      const { shareUrl } = (
        await server.call(owner, 'POST', `/api/file/${fileId}/share-zk`, {
          payload: { shareEncryptedFileKey, maxDownloads: 1 },
        })
      ).json()
      const url = shareUrl.replace('/s/', '/api/share/')
      const claim = randomBytes(16).toString('base64url')
      const requestStatus = async (named: string, range?: string) =>
        (await server.app.inject({ url, headers: { 'x-share-claim': named, ...(range && { range }) } })).statusCode
      const heldUntil = async () =>
        Number((await server.db.selectFrom('share_claims').select('held_until').executeTakeFirst())?.held_until ?? 0)
      const isExtended = () => expect.poll(heldUntil).toBe(server.now() + shareLimits.leaseMs)
      const download = openRawReader(await another.listen(), {
        path: url,
        requests: [{ 'x-share-claim': claim }],
      })
      await expect.poll(heldUntil).toBeGreaterThan(0)

      expect(await requestStatus(claim, 'bytes=0-999')).toBe(206)
      await isExtended()
      server.advance(shareLimits.leaseAfterDisconnectMs + minute)
      await isExtended()
      expect(await requestStatus(randomBytes(16).toString('base64url'))).toBe(409)
      for (let count = 0; count < 3; count += 1) {
        server.advance(shareLimits.leaseMs - minute)
        await isExtended()
      }
      expect(await requestStatus(randomBytes(16).toString('base64url'))).toBe(409)

      download.socket.resume()
      await expect.poll(download.receivedBytes).toBeGreaterThan(file.sealed.length)
    } finally {
      another.app.server.closeAllConnections()
      await another.app.close()
    }
  },
  { extendEveryMs },
)
