import { readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { uploadLimits } from '@sallyport/contract/limits'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAccessTokens } from '../auth/tokens/access-tokens.ts'
import { openSigningKeys } from '../auth/tokens/signing-keys.ts'
import { openDatabase } from '../db/open.ts'
import { onBothDatabases, onEmbeddedDatabase } from '../testing/databases.ts'
import { sealFile } from '../testing/sealed-file.ts'
import { fillUp, mountSmallDisk, whereDisksCanBeMounted } from '../testing/small-disk.ts'
import {
  anUploadId,
  beginRequest,
  chunkHeaders,
  type StoringServer,
  startStoring,
  storedObjects,
  until,
} from '../testing/storing-server.ts'
import { startWholeServer, type WholeServer } from '../testing/whole-server.ts'

const megabyte = 1024 * 1024
const hour = 3_600_000
const aborted = 1000

whereDisksCanBeMounted(onBothDatabases)(
  'T137 F06 a disk that fills up in the middle of a chunk refuses it, keeps nothing of it and works again',
  async (stage) => {
    const disk = mountSmallDisk(4 * megabyte)
    const server = await startStoring({ ...stage, folder: disk.folder })
    const { aUser, sendChunk, beginChunk, complete, call, bytesFolder } = server
    const filling = join(disk.folder, 'filling')
    const ann = await aUser()
    const file = await sealFile({ plainBytes: 2 * megabyte, chunkBytes: megabyte })
    const uploadId = anUploadId()
    await sendChunk(ann, { file, uploadId, index: 0 })
    const { request, json, status } = await beginChunk(ann, { file, uploadId, index: 1 })
    const second = Buffer.from(file.chunks[1] ?? [])
    request.write(second.subarray(0, 1000))
    await until(() => storedObjects(bytesFolder).length === 2)

    fillUp(filling)
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

onEmbeddedDatabase(`T135 ${aborted} chunks that break off leave no open file and no piece behind`, async (stage) => {
  const server = await startStoring(stage)
  const { aUser, beginChunk, call, bytesFolder } = server
  const ann = await aUser()
  const lanes = 10
  const file = await sealFile({ plainBytes: lanes * 64 * 1024 })
  const uploadId = anUploadId()
  const cuts = [0, 1, 28, 30_000, 65_000]

  async function breakOff(lane: number, times: number): Promise<void> {
    for (let round = 0; round < times; round += 1) {
      const chunk = file.chunks[lane] ?? Buffer.alloc(0)
      const headers = { 'content-length': String(chunk.length) }
      const { request } = await beginChunk(ann, { file, uploadId, index: lane, headers })
      request.on('error', () => undefined)
      const closed = new Promise((resolve) => request.once('close', resolve))
      const piece = Buffer.from(chunk.subarray(0, cuts[round % cuts.length]))
      request.write(piece.length > 0 ? piece : Buffer.alloc(0), () => request.destroy())
      request.flushHeaders()
      await closed
    }
  }
  const breakOffAll = (times: number) =>
    Promise.all(Array.from({ length: lanes }, (_, lane) => breakOff(lane, times / lanes)))
  const settled = () => until(async () => storedObjects(bytesFolder).length === 0 && (await isIdle(server)))

  await breakOffAll(lanes * cuts.length)
  await settled()
  const before = openFiles()
  await breakOffAll(aborted)
  await settled()

  expect(openFiles()).toBeLessThanOrEqual(before + 2)
  expect(storedObjects(bytesFolder)).toEqual([])
  expect((await call(ann, 'GET', `/api/uploads/${uploadId}`)).json().received).toEqual([])
  expect(server.log.join('')).not.toContain('request failed')
  await server.app.close()
})

onBothDatabases('T139 what somebody had sent before they were deleted is gone after the sweep', async (stage) => {
  const server = await startStoring(stage)
  const { aUser, sendChunk, beginChunk, complete, store, bytesFolder, db } = server
  const [ann, bob] = [await aUser(), await aUser()]
  const kept = await store(bob, await sealFile({ plainBytes: 10 }))
  const stored = await store(ann, await sealFile({ plainBytes: 10 }))
  const file = await sealFile({ plainBytes: 3 * 64 * 1024 })
  const [resting, moving] = [anUploadId(), anUploadId()]
  for (const uploadId of [resting, moving]) await sendChunk(ann, { file, uploadId, index: 0 })
  const { request, status, json } = await beginChunk(ann, { file, uploadId: moving, index: 1 })
  const second = Buffer.from(file.chunks[1] ?? [])
  request.write(second.subarray(0, 1000))
  await until(() => storedObjects(bytesFolder).length === 5)

  await db.deleteFrom('users').where('id', '=', ann).execute()
  request.end(second.subarray(1000))

  expect([await status(), (await json()).code]).toEqual([404, 'UPLOAD_NOT_FOUND'])
  expect((await complete(ann, { file, uploadId: resting })).statusCode).toBe(404)
  const later = new Date(Date.now() - 2 * hour)
  for (const path of storedObjects(bytesFolder)) utimesSync(join(bytesFolder, path, '..'), later, later)
  for (let pass = 0; pass < 3; pass += 1) await server.passOrphans()
  expect(storedObjects(bytesFolder)).toEqual([`${kept.slice(-2)}/${kept}/0`])
  expect(stored).not.toBe(kept)
  for (const table of ['uploads', 'files', 'storage_use'] as const) {
    expect(await db.selectFrom(table).selectAll().execute(), table).toHaveLength(1)
  }
  await server.app.close()
})

test('T139 somebody whom an operator deletes while they upload is refused with the next chunk', async () => {
  const server = await startWholeServer({ PUBLIC_URL: 'http://sallyport.test' })
  const { accessToken, userId } = await server.aMember()
  const file = await sealFile({ plainBytes: 3 * 64 * 1024 })
  const uploadId = anUploadId()
  // More than the orphan pass would take at once: these bytes go with their person.
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
  const moving = beginRequest(server.port, { method: 'POST', path: '/api/upload-chunk', headers: headersOf(1) })
  moving.request.write(Buffer.from(file.chunks[1] ?? []).subarray(0, 1000))
  await until(() => stored().length === 10)

  const headers = { authorization: `Bearer ${await serviceKeyOf(server)}` }
  const deleted = await fetch(`${server.url}/auth/v1/admin/users/${userId}`, { method: 'DELETE', headers })
  moving.request.end(Buffer.from(file.chunks[1] ?? []).subarray(1000))
  const during = await moving.status()
  const after = await send(2)

  expect([before.status, deleted.status, during, after.status]).toEqual([200, 200, 404, 401])
  expect(await after.json()).toMatchObject({ code: 'SESSION_EXPIRED' })
  await until(() => stored().length === 0)
  await server.stop()
})

onEmbeddedDatabase('T134 a body that only drips is cut off, and what it held is free again', async (stage) => {
  const server = await startStoring(stage)
  const { aUser, beginChunk, sendChunk, bytesFolder } = server
  const ann = await aUser()
  const file = await sealFile({ plainBytes: 2 * 64 * 1024 })
  const uploadId = anUploadId()
  await sendChunk(ann, { file, uploadId, index: 0 })
  // Only the guard's own clock is at our command; the bytes travel as they do.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const slow = await Promise.all([beginChunk(ann, { file, uploadId, index: 1 })])
  const cuts = slow.map(({ request }) => new Promise((resolve) => request.on('error', resolve).on('close', resolve)))
  for (const { request } of slow) request.write('x')
  await until(() => storedObjects(bytesFolder).length === 2)

  vi.advanceTimersByTime(uploadLimits.stallMs - 1)
  await until(async () => !(await isIdle(server)))
  for (const { request } of slow) request.write('x')
  vi.advanceTimersByTime(uploadLimits.stallMs)
  await Promise.all(cuts)

  await until(async () => storedObjects(bytesFolder).length === 1 && (await isIdle(server)))
  expect((await sendChunk(ann, { file, uploadId, index: 1 })).statusCode).toBe(200)
  await server.app.close()
})

test('T141 an upload waits where its licence has ended, and goes on once there is another', async () => {
  const server = await startWholeServer()
  const { db, close } = await openDatabase({ databaseUrl: undefined, folder: server.folder, onError: () => undefined })
  const { accessToken, userId } = await server.aMember()
  const file = await sealFile({ plainBytes: 3 * 64 * 1024 })
  const uploadId = anUploadId()
  const send = async (index: number) => {
    const headers = { authorization: `Bearer ${accessToken}`, ...chunkHeaders(file, { uploadId, index }) }
    const body = new Uint8Array(file.chunks[index] ?? [])
    const answer = await fetch(`${server.url}/api/upload-chunk`, { method: 'POST', headers, body })
    return [answer.status, ((await answer.json()) as { code?: string }).code]
  }
  const endLicence = (expiresAt: number) =>
    db.updateTable('licences').set({ expires_at: expiresAt }).where('user_id', '=', userId).execute()
  const stored = () => storedObjects(join(server.folder, 'volumes', 'main')).length
  expect(await send(0)).toEqual([200, undefined])

  await endLicence(Date.now() - hour)
  // What the server remembers of a licence is no older than five seconds.
  await until(async () => (await send(1))[0] !== 200)
  const kept = stored()
  const refused = await send(2)
  await endLicence(Date.now() + hour)
  await until(async () => (await send(2))[0] === 200)

  expect(refused).toEqual([402, 'UPGRADE_REQUIRED'])
  expect([kept, stored()]).toEqual([2, 3])
  await close()
  await server.stop()
})

async function serviceKeyOf({ folder }: WholeServer): Promise<string> {
  const keys = await openSigningKeys(join(folder, 'secrets'))
  const issuer = 'http://sallyport.test/auth/v1'
  return createAccessTokens({ keys, issuer, now: Date.now, foreignServiceKeys: false }).issueServiceKey(60)
}

const openFiles = (): number => readdirSync('/dev/fd').length

const isIdle = ({ app }: StoringServer): Promise<boolean> =>
  new Promise((resolve) => app.server.getConnections((_, count) => resolve(count === 0)))
