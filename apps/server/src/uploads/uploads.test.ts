import { randomBytes } from 'node:crypto'
import { maximumChunkBytes } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { sealFile } from '../testing/sealed-file.ts'
import { anUploadId, onStoringServer, startStoring, storedObjects, until } from '../testing/storing-server.ts'

const recordBytes = 64 * 1024

/** A file of three chunks, the last of them short. */
const aFile = () => sealFile({ plainBytes: 2 * recordBytes + 100 })

onStoringServer(
  'FIL-06 T143 chunks may come in any order and side by side',
  async ({ aUser, sendChunk, complete, call }) => {
    const ann = await aUser()
    const file = await aFile()
    const uploadId = anUploadId()

    await Promise.all([2, 0, 1].map((index) => sendChunk(ann, { file, uploadId, index })))
    const { fileId } = (await complete(ann, { file, uploadId })).json()

    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    expect(download.rawPayload.equals(file.sealed)).toBe(true)
    expect((await call(ann, 'GET', '/api/uploads')).json().uploads).toEqual([])
  },
)

onStoringServer('an upload tells which of its chunks have arrived and until when it is kept', async (server) => {
  const { aUser, sendChunk, call, now } = server
  const ann = await aUser()
  const file = await sealFile({ plainBytes: 5 * recordBytes })
  const uploadId = anUploadId()
  for (const index of [0, 1, 4]) await sendChunk(ann, { file, uploadId, index })

  const upload = (await call(ann, 'GET', `/api/uploads/${uploadId}`)).json()
  const list = (await call(ann, 'GET', '/api/uploads')).json()

  expect(upload).toMatchObject({
    uploadId,
    originalName: file.name,
    encryptedFileKey: file.envelope,
    size: file.plain.length,
    chunkSize: recordBytes,
    totalChunks: 5,
    received: [
      [0, 1],
      [4, 4],
    ],
  })
  expect(Math.abs(upload.expiresAt - now() - 24 * 3_600_000)).toBeLessThan(60_000)
  const { success: _, ...listed } = upload
  expect(list.uploads).toEqual([listed])
})

onStoringServer('T124 an upload with gaps is not completed, and says which chunks are missing', async (server) => {
  const { aUser, sendChunk, complete, call } = server
  const ann = await aUser()
  const file = await sealFile({ plainBytes: 4 * recordBytes })
  const uploadId = anUploadId()
  for (const index of [0, 2]) await sendChunk(ann, { file, uploadId, index })

  const refused = await complete(ann, { file, uploadId })
  for (const index of [1, 3]) await sendChunk(ann, { file, uploadId, index })
  const completed = await complete(ann, { file, uploadId })

  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toMatchObject({
    error: 'Upload integrity check failed: Missing chunks [1, 3]',
    code: 'UPLOAD_INCOMPLETE',
    details: { missing: [1, 3] },
  })
  expect(completed.statusCode).toBe(200)
  expect((await call(ann, 'GET', '/api/files')).json().files).toHaveLength(1)
})

onStoringServer('a chunk whose bytes have vanished from the disk counts as missing', async (server) => {
  const { aUser, sendChunk, complete, volumes, db } = server
  const ann = await aUser()
  const file = await aFile()
  const uploadId = anUploadId()
  for (const index of file.chunks.keys()) await sendChunk(ann, { file, uploadId, index })
  const { id } = await db.selectFrom('uploads').select('id').where('owner_id', '=', ann).executeTakeFirstOrThrow()
  await volumes.all[0]?.remove(id)

  const refused = await complete(ann, { file, uploadId })

  expect(refused.json().details).toEqual({ missing: [0, 1, 2] })
})

onStoringServer('T125 twenty completions at once give one file and one answer', async (server) => {
  const { aUser, sendChunk, complete, call, events } = server
  const ann = await aUser()
  const file = await aFile()
  const uploadId = anUploadId()
  for (const index of file.chunks.keys()) await sendChunk(ann, { file, uploadId, index })

  const answers = await Promise.all(Array.from({ length: 20 }, () => complete(ann, { file, uploadId })))
  const later = await complete(ann, { file, uploadId })

  const { files } = (await call(ann, 'GET', '/api/files')).json()
  expect(files).toHaveLength(1)
  expect(new Set([...answers, later].map((answer) => answer.json().fileId))).toEqual(new Set([files[0].id]))
  expect(events).toEqual([{ userId: ann, event: { type: 'file.inserted', file: files[0] } }])
})

onStoringServer(
  'T125 many first chunks at once open one upload and hold its storage once',
  async (server) => {
    const { aUser, sendChunk, complete, db } = server
    const ann = await aUser()
    const file = await sealFile({ plainBytes: 6 * recordBytes })
    const uploadId = anUploadId()

    const answers = await Promise.all([...file.chunks.keys()].map((index) => sendChunk(ann, { file, uploadId, index })))
    const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', ann).execute()
    const completed = await complete(ann, { file, uploadId })

    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200, 200, 200])
    expect(use).toEqual([{ user_id: ann, used_bytes: 0, reserved_bytes: file.plain.length }])
    expect(completed.statusCode).toBe(200)
  },
  { storageBytes: 7 * recordBytes },
)

onStoringServer('T126 a completion waits for a chunk that is still under way', async (server) => {
  const { aUser, sendChunk, beginChunk, complete, call, bytesFolder } = server
  const ann = await aUser()
  const file = await aFile()
  const uploadId = anUploadId()
  for (const index of [0, 1]) await sendChunk(ann, { file, uploadId, index })
  const last = file.chunks[2] ?? Buffer.alloc(0)
  const { request, status } = await beginChunk(ann, { file, uploadId, index: 2 })
  request.write(last.subarray(0, 50))
  await until(() => storedObjects(bytesFolder).length === 3)

  const completion = complete(ann, { file, uploadId })
  const early = await Promise.race([
    completion.then(() => 'completed'),
    new Promise((go) => setTimeout(go, 100, 'waits')),
  ])
  request.end(last.subarray(50))
  const { fileId } = (await completion).json()

  expect(early).toBe('waits')
  expect(await status()).toBe(200)
  const download = await call(ann, 'GET', `/api/download/${fileId}`)
  expect(download.rawPayload.equals(file.sealed)).toBe(true)
})

onStoringServer(
  'T127 a chunk that comes again while its predecessor is still under way ends as one whole chunk',
  async (server) => {
    const { aUser, sendChunk, beginChunk, complete, call, bytesFolder } = server
    const ann = await aUser()
    const file = await aFile()
    const uploadId = anUploadId()
    const stale = await beginChunk(ann, { file, uploadId, index: 0 })
    stale.request.on('error', () => undefined)
    stale.request.write(randomBytes(recordBytes / 2))
    await until(() => storedObjects(bytesFolder).length === 1)

    const retries = await Promise.all([1, 2, 3].map(() => sendChunk(ann, { file, uploadId, index: 0 })))
    for (const index of [1, 2]) await sendChunk(ann, { file, uploadId, index })
    const { fileId } = (await complete(ann, { file, uploadId })).json()

    expect(await stale.status()).toBe(409)
    expect(retries.some((answer) => answer.statusCode === 200)).toBe(true)
    expect(retries.every((answer) => answer.statusCode === 200 || answer.statusCode === 409)).toBe(true)
    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    expect(download.rawPayload.equals(file.sealed)).toBe(true)
    expect(storedObjects(bytesFolder)).toHaveLength(3)
  },
)

onStoringServer(
  'T116 a chunk may come again, the same or another, which takes its place; once the upload is complete it may not',
  async (server) => {
    const { aUser, sendChunk, complete, call, bytesFolder } = server
    const ann = await aUser()
    const file = await aFile()
    const uploadId = anUploadId()
    const damaged = randomBytes(file.chunks[0]?.length ?? 0)

    const first = await sendChunk(ann, { file, uploadId, index: 0, bytes: damaged })
    const others = await Promise.all([...file.chunks.keys()].map((index) => sendChunk(ann, { file, uploadId, index })))
    const again = await sendChunk(ann, { file, uploadId, index: 0 })
    const { fileId } = (await complete(ann, { file, uploadId })).json()
    const late = [
      await sendChunk(ann, { file, uploadId, index: 0 }),
      await sendChunk(ann, { file, uploadId, index: 0, bytes: damaged }),
    ]

    expect([first, ...others, again].map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200, 200])
    expect(late.map((answer) => [answer.statusCode, answer.json().code])).toEqual([
      [409, 'UPLOAD_FINISHED'],
      [409, 'UPLOAD_FINISHED'],
    ])
    expect(storedObjects(bytesFolder)).toHaveLength(3)
    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    expect(download.rawPayload.equals(file.sealed)).toBe(true)
  },
)

onStoringServer('T128 a chunk after completion is refused and changes nothing', async (server) => {
  const { aUser, sendChunk, complete, call } = server
  const ann = await aUser()
  const file = await aFile()
  const uploadId = anUploadId()
  for (const index of file.chunks.keys()) await sendChunk(ann, { file, uploadId, index })
  const { fileId } = (await complete(ann, { file, uploadId })).json()

  const late = await sendChunk(ann, { file, uploadId, index: 0, bytes: randomBytes(file.chunks[0]?.length ?? 0) })

  expect([late.statusCode, late.json().code]).toEqual([409, 'UPLOAD_FINISHED'])
  expect((await call(ann, 'DELETE', `/api/uploads/${uploadId}`)).json().code).toBe('UPLOAD_FINISHED')
  const download = await call(ann, 'GET', `/api/download/${fileId}`)
  expect(download.rawPayload.equals(file.sealed)).toBe(true)
})

onStoringServer('T128 a cancelled upload gives its storage back and cannot be opened again', async (server) => {
  const { aUser, sendChunk, complete, call, db, bytesFolder } = server
  const ann = await aUser()
  const file = await aFile()
  const uploadId = anUploadId()
  await sendChunk(ann, { file, uploadId, index: 0 })

  const cancelled = await call(ann, 'DELETE', `/api/uploads/${uploadId}`)
  const late = await sendChunk(ann, { file, uploadId, index: 1 })
  const completion = await complete(ann, { file, uploadId })
  const again = await call(ann, 'DELETE', `/api/uploads/${uploadId}`)

  expect(cancelled.statusCode).toBe(200)
  for (const answer of [late, completion, again]) expect(answer.statusCode).toBe(404)
  expect(storedObjects(bytesFolder)).toEqual([])
  const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', ann).executeTakeFirstOrThrow()
  expect([use.used_bytes, use.reserved_bytes]).toEqual([0, 0])
})

onStoringServer('T128 an upload that is cancelled before its first chunk comes is never opened', async (server) => {
  const { aUser, sendChunk, complete, call, db, bytesFolder } = server
  const [ann, bob] = [await aUser(), await aUser()]
  const file = await aFile()
  const uploadId = anUploadId()

  const early = await call(ann, 'DELETE', `/api/uploads/${uploadId}`)
  const again = await call(ann, 'DELETE', `/api/uploads/${uploadId}`)
  const late = await sendChunk(ann, { file, uploadId, index: 0 })
  const completion = await complete(ann, { file, uploadId })
  const ofAnother = await sendChunk(bob, { file, uploadId, index: 0 })

  for (const answer of [early, again, late, completion]) expect(answer.statusCode).toBe(404)
  expect((await call(ann, 'GET', '/api/uploads')).json().uploads).toEqual([])
  expect(await db.selectFrom('storage_use').select('user_id').execute()).toEqual([{ user_id: bob }])
  expect(ofAnother.statusCode).toBe(200)
  expect(storedObjects(bytesFolder)).toHaveLength(1)
})

onStoringServer('cancelling ids that never were fills the database only so far', async (server) => {
  const { aUser, call, sendChunk, db } = server
  const ann = await aUser()
  const file = await aFile()
  const open = anUploadId()
  await sendChunk(ann, { file, uploadId: open, index: 0 })

  for (let count = 0; count < 105; count += 1) await call(ann, 'DELETE', `/api/uploads/${anUploadId()}`)
  const cancelled = await call(ann, 'DELETE', `/api/uploads/${open}`)

  expect(await db.selectFrom('uploads').select('id').execute()).toHaveLength(101)
  expect(cancelled.statusCode).toBe(200)
})

onStoringServer('cancelling ends a chunk that is under way', async ({ aUser, beginChunk, call, bytesFolder }) => {
  const ann = await aUser()
  const file = await aFile()
  const uploadId = anUploadId()
  const { request, status } = await beginChunk(ann, { file, uploadId, index: 0 })
  request.on('error', () => undefined)
  request.write(Buffer.alloc(1000))
  await until(() => storedObjects(bytesFolder).length === 1)

  const cancelled = await call(ann, 'DELETE', `/api/uploads/${uploadId}`)

  expect(cancelled.statusCode).toBe(200)
  expect(await status()).toBe(404)
  expect(storedObjects(bytesFolder)).toEqual([])
  request.destroy()
})

onStoringServer(
  'FIL-06 a file goes up by one request, an empty one and one longer than any chunk too',
  async (server) => {
    const { aUser, as, call, events } = server
    const ann = await aUser()
    const sizes = [3 * recordBytes + 5, 0, maximumChunkBytes + 5]
    const files = await Promise.all(sizes.map((plainBytes) => sealFile({ plainBytes })))
    const upload = (file: (typeof files)[number]) =>
      call(ann, 'POST', '/api/upload', {
        headers: {
          ...as(ann),
          'content-type': 'application/octet-stream',
          'x-file-name': file.name,
          'x-encrypted-file-key': file.envelope,
        },
        payload: file.sealed,
      })

    for (const file of files) {
      const { id, fileId } = (await upload(file)).json()
      const download = await call(ann, 'GET', `/api/download/${id}`)

      expect(fileId).toBe(id)
      expect(download.rawPayload.equals(file.sealed)).toBe(true)
      expect(events.at(-1)?.event).toMatchObject({ type: 'file.inserted', file: { id, size: file.plain.length } })
    }
  },
)

onStoringServer('T144 an upload goes on after the server was started anew', async (server) => {
  const { aUser, sendChunk } = server
  const ann = await aUser()
  const file = await aFile()
  const uploadId = anUploadId()
  await sendChunk(ann, { file, uploadId, index: 0 })

  const anew = await startStoring(server)
  for (const index of [1, 2]) await anew.sendChunk(ann, { file, uploadId, index })
  const { fileId } = (await anew.complete(ann, { file, uploadId })).json()

  const download = await anew.call(ann, 'GET', `/api/download/${fileId}`)
  expect(download.rawPayload.equals(file.sealed)).toBe(true)
})
