import { readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { uploadLimits } from '@sallyport/contract/limits'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { onAnyDatabase, onEmbeddedDatabase } from '../../../testing/engines/databases.ts'
import { fillDisk, mountSmallDisk, skipUnlessMountable } from '../../../testing/engines/small-disk.ts'
import {
  beginRequest,
  chunkHeaders,
  type FileServer,
  randomUploadId,
  startFileServer,
  storedObjects,
  waitUntil,
} from '../../../testing/servers/file-server.ts'
import { startWholeServer, type WholeServer } from '../../../testing/servers/whole-server.ts'
import { createAccessTokens } from '../../auth/tokens/access-tokens.ts'
import { openSigningKeys } from '../../auth/tokens/signing-keys.ts'

const hour = 3_600_000

const megabyte = 1024 * 1024
const aborted = 1000

skipUnlessMountable(onAnyDatabase)(
  'T137 F06 a disk that fills up during a chunk: the chunk gets 507 and is removed, and uploads work again later',
  async (stage) => {
    const disk = mountSmallDisk(4 * megabyte)
    const server = await startFileServer({ ...stage, folder: disk.folder })
    const { createUser, sendChunk, beginChunk, complete, call, bytesFolder } = server
    const filling = join(disk.folder, 'filling')
    const ann = await createUser()
    const file = await sealFile({ plainBytes: 2 * megabyte, chunkBytes: megabyte })
    const uploadId = randomUploadId()
    await sendChunk(ann, { file, uploadId, index: 0 })
    const { request, json, status } = await beginChunk(ann, { file, uploadId, index: 1 })
    const second = Buffer.from(file.chunks[1] ?? [])
    request.write(second.subarray(0, 1000))
    await waitUntil(() => storedObjects(bytesFolder).length === 2)

    fillDisk(filling)
    request.end(second.subarray(1000))

    expect([await status(), (await json()).code]).toEqual([507, 'NO_SPACE'])
    expect(storedObjects(bytesFolder).map((path) => path.split('/').at(-1))).toEqual(['0'])
    expect((await sendChunk(ann, { file, uploadId, index: 1 })).statusCode).toBe(507)
    expect((await call(ann, 'GET', `/api/uploads/${uploadId}`)).json().received).toEqual([[0, 0]])

    rmSync(filling)
    expect((await sendChunk(ann, { file, uploadId, index: 1 })).statusCode).toBe(200)
    const { fileId } = (await complete(ann, { file, uploadId })).json()
    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    expect(download.rawPayload.equals(file.sealed)).toBe(true)
    await server.app.close()
    disk.unmount()
  },
)

onEmbeddedDatabase(`T135 ${aborted} aborted chunks leave no open file and no data behind`, async (stage) => {
  const server = await startFileServer(stage)
  const { createUser, beginChunk, call, bytesFolder } = server
  const ann = await createUser()
  const workers = 10
  const file = await sealFile({ plainBytes: workers * 64 * 1024 })
  const uploadId = randomUploadId()
  const cuts = [0, 1, 28, 30_000, 65_000]

  async function abortUploads(worker: number, times: number): Promise<void> {
    for (let round = 0; round < times; round += 1) {
      const chunk = file.chunks[worker] ?? Buffer.alloc(0)
      const headers = { 'content-length': String(chunk.length) }
      const { request } = await beginChunk(ann, { file, uploadId, index: worker, headers })
      request.on('error', () => undefined)
      const closed = new Promise((resolve) => request.once('close', resolve))
      const piece = Buffer.from(chunk.subarray(0, cuts[round % cuts.length]))
      request.write(piece.length > 0 ? piece : Buffer.alloc(0), () => request.destroy())
      request.flushHeaders()
      await closed
    }
  }
  const abortAllUploads = (times: number) =>
    Promise.all(Array.from({ length: workers }, (_, worker) => abortUploads(worker, times / workers)))
  const waitUntilIdle = () => waitUntil(async () => storedObjects(bytesFolder).length === 0 && (await isIdle(server)))

  await abortAllUploads(workers * cuts.length)
  await waitUntilIdle()
  const before = openFiles()
  await abortAllUploads(aborted)
  await waitUntilIdle()

  expect(openFiles()).toBeLessThanOrEqual(before + 2)
  expect(storedObjects(bytesFolder)).toEqual([])
  expect((await call(ann, 'GET', `/api/uploads/${uploadId}`)).json().received).toEqual([])
  expect(server.log.join('')).not.toContain('request failed')
  await server.app.close()
})

onAnyDatabase('T139 the uploads of a deleted user are gone after the sweep', async (stage) => {
  const server = await startFileServer(stage)
  const { createUser, sendChunk, beginChunk, complete, store, bytesFolder, db } = server
  const [ann, bob] = [await createUser(), await createUser()]
  const othersFile = await store(bob, await sealFile({ plainBytes: 10 }))
  const stored = await store(ann, await sealFile({ plainBytes: 10 }))
  const file = await sealFile({ plainBytes: 3 * 64 * 1024 })
  const [idleUpload, runningUpload] = [randomUploadId(), randomUploadId()]
  for (const uploadId of [idleUpload, runningUpload]) await sendChunk(ann, { file, uploadId, index: 0 })
  const { request, status, json } = await beginChunk(ann, { file, uploadId: runningUpload, index: 1 })
  const second = Buffer.from(file.chunks[1] ?? [])
  request.write(second.subarray(0, 1000))
  await waitUntil(() => storedObjects(bytesFolder).length === 5)

  await db.deleteFrom('users').where('id', '=', ann).execute()
  request.end(second.subarray(1000))

  expect([await status(), (await json()).code]).toEqual([404, 'UPLOAD_NOT_FOUND'])
  expect((await complete(ann, { file, uploadId: idleUpload })).statusCode).toBe(404)
  const later = new Date(Date.now() - 2 * hour)
  for (const path of storedObjects(bytesFolder)) utimesSync(join(bytesFolder, path, '..'), later, later)
  for (let round = 0; round < 3; round += 1) await server.runOrphanPass()
  expect(storedObjects(bytesFolder)).toEqual([`${othersFile.slice(-2)}/${othersFile}/0`])
  expect(stored).not.toBe(othersFile)
  for (const table of ['uploads', 'files', 'storage_use'] as const) {
    expect(await db.selectFrom(table).selectAll().execute(), table).toHaveLength(1)
  }
  await server.app.close()
})

test('T139 a user who is deleted by an operator during an upload gets an error for the next chunk', async () => {
  const server = await startWholeServer({ PUBLIC_URL: 'http://sallyport.test' })
  const { accessToken, userId } = await server.createMember()
  const file = await sealFile({ plainBytes: 3 * 64 * 1024 })
  const uploadId = randomUploadId()
  // More files than the orphan sweep would remove at once: deleting the user removes these bytes.
  for (let count = 0; count < 8; count += 1) await server.store(accessToken, await sealFile({ plainBytes: 10 }))
  const headersOf = (index: number) => ({
    authorization: `Bearer ${accessToken}`,
    ...chunkHeaders(file, { uploadId, index }),
  })
  const send = (index: number) =>
    fetch(`${server.url}/api/upload-chunk`, {
      method: 'POST',
      headers: headersOf(index),
      body: new Uint8Array(file.chunks[index] ?? []),
    })
  const stored = () => storedObjects(join(server.folder, 'volumes', 'main'))
  const before = await send(0)
  const running = beginRequest(server.port, { method: 'POST', path: '/api/upload-chunk', headers: headersOf(1) })
  running.request.write(Buffer.from(file.chunks[1] ?? []).subarray(0, 1000))
  await waitUntil(() => stored().length === 10)

  const headers = { authorization: `Bearer ${await serviceKeyOf(server)}` }
  const deleted = await fetch(`${server.url}/auth/v1/admin/users/${userId}`, { method: 'DELETE', headers })
  running.request.end(Buffer.from(file.chunks[1] ?? []).subarray(1000))
  const during = await running.status()
  const after = await send(2)

  expect([before.status, deleted.status, during, after.status]).toEqual([200, 200, 404, 401])
  expect(await after.json()).toMatchObject({ code: 'SESSION_EXPIRED' })
  await waitUntil(() => stored().length === 0)
  await server.stop()
})

onEmbeddedDatabase('T134 a body that arrives too slowly is cut off, and its chunk can be sent again', async (stage) => {
  const server = await startFileServer(stage)
  const { createUser, beginChunk, sendChunk, bytesFolder } = server
  const ann = await createUser()
  const file = await sealFile({ plainBytes: 2 * 64 * 1024 })
  const uploadId = randomUploadId()
  await sendChunk(ann, { file, uploadId, index: 0 })
  // Only the stall guard's timer is faked; the network is real.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const slow = await Promise.all([beginChunk(ann, { file, uploadId, index: 1 })])
  const cuts = slow.map(({ request }) => new Promise((resolve) => request.on('error', resolve).on('close', resolve)))
  for (const { request } of slow) request.write('x')
  await waitUntil(() => storedObjects(bytesFolder).length === 2)

  vi.advanceTimersByTime(uploadLimits.stallMs - 1)
  await waitUntil(async () => !(await isIdle(server)))
  for (const { request } of slow) request.write('x')
  vi.advanceTimersByTime(uploadLimits.stallMs)
  await Promise.all(cuts)

  await waitUntil(async () => storedObjects(bytesFolder).length === 1 && (await isIdle(server)))
  expect((await sendChunk(ann, { file, uploadId, index: 1 })).statusCode).toBe(200)
  await server.app.close()
})

async function serviceKeyOf({ folder }: WholeServer): Promise<string> {
  const keys = await openSigningKeys(join(folder, 'secrets'))
  const issuer = 'http://sallyport.test/auth/v1'
  return createAccessTokens({ keys, issuer, now: Date.now, allowAnyServiceKeyIssuer: false }).issueServiceKey(60)
}

const openFiles = (): number => readdirSync('/dev/fd').length

const isIdle = ({ app }: FileServer): Promise<boolean> =>
  new Promise((resolve) => app.server.getConnections((_, count) => resolve(count === 0)))
