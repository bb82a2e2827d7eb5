import { randomBytes } from 'node:crypto'
import { maximumChunkBytes } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import {
  onFileServerWithBothDatabases,
  randomUploadId,
  startFileServer,
  storedObjects,
  waitUntil,
} from '../../../testing/servers/file-server.ts'

const recordBytes = 64 * 1024

/** A file with three chunks, the last of them short. */
const sealThreeChunkFile = () => sealFile({ plainBytes: 2 * recordBytes + 100 })

onFileServerWithBothDatabases(
  'FIL-06 T143 chunks can be uploaded concurrently and in any order',
  async ({ createUser, sendChunk, complete, call }) => {
    const ann = await createUser()
    const file = await sealThreeChunkFile()
    const uploadId = randomUploadId()

    await Promise.all([2, 0, 1].map((index) => sendChunk(ann, { file, uploadId, index })))
    const { fileId } = (await complete(ann, { file, uploadId })).json()

    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    expect(download.rawPayload.equals(file.sealed)).toBe(true)
    expect((await call(ann, 'GET', '/api/uploads')).json().uploads).toEqual([])
  },
)

onFileServerWithBothDatabases('the status of an upload lists the received chunks and its expiry', async (server) => {
  const { createUser, sendChunk, call, now } = server
  const ann = await createUser()
  const file = await sealFile({ plainBytes: 5 * recordBytes })
  const uploadId = randomUploadId()
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

onFileServerWithBothDatabases(
  'T124 completing an upload with missing chunks gets an error that lists them',
  async (server) => {
    const { createUser, sendChunk, complete, call } = server
    const ann = await createUser()
    const file = await sealFile({ plainBytes: 4 * recordBytes })
    const uploadId = randomUploadId()
    for (const index of [0, 2]) await sendChunk(ann, { file, uploadId, index })

    const rejected = await complete(ann, { file, uploadId })
    for (const index of [1, 3]) await sendChunk(ann, { file, uploadId, index })
    const completed = await complete(ann, { file, uploadId })

    expect(rejected.statusCode).toBe(400)
    expect(rejected.json()).toMatchObject({
      error: 'Upload integrity check failed: Missing chunks [1, 3]',
      code: 'UPLOAD_INCOMPLETE',
      details: { missing: [1, 3] },
    })
    expect(completed.statusCode).toBe(200)
    expect((await call(ann, 'GET', '/api/files')).json().files).toHaveLength(1)
  },
)

onFileServerWithBothDatabases('a chunk whose bytes are gone from the disk counts as missing', async (server) => {
  const { createUser, sendChunk, complete, volumes, db } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const uploadId = randomUploadId()
  for (const index of file.chunks.keys()) await sendChunk(ann, { file, uploadId, index })
  const { id } = await db.selectFrom('uploads').select('id').where('owner_id', '=', ann).executeTakeFirstOrThrow()
  await volumes.all[0]?.remove(id)

  const rejected = await complete(ann, { file, uploadId })

  expect(rejected.json().details).toEqual({ missing: [0, 1, 2] })
})

onFileServerWithBothDatabases(
  'T125 20 concurrent completions create one file and get the same response',
  async (server) => {
    const { createUser, sendChunk, complete, call, events } = server
    const ann = await createUser()
    const file = await sealThreeChunkFile()
    const uploadId = randomUploadId()
    for (const index of file.chunks.keys()) await sendChunk(ann, { file, uploadId, index })

    const answers = await Promise.all(Array.from({ length: 20 }, () => complete(ann, { file, uploadId })))
    const later = await complete(ann, { file, uploadId })

    const { files } = (await call(ann, 'GET', '/api/files')).json()
    expect(files).toHaveLength(1)
    expect(new Set([...answers, later].map((answer) => answer.json().fileId))).toEqual(new Set([files[0].id]))
    expect(events).toEqual([{ userId: ann, event: { type: 'file.inserted', file: files[0] } }])
  },
)

onFileServerWithBothDatabases(
  'T125 concurrent first chunks open one upload and reserve its storage once',
  async (server) => {
    const { createUser, sendChunk, complete, db } = server
    const ann = await createUser()
    const file = await sealFile({ plainBytes: 6 * recordBytes })
    const uploadId = randomUploadId()

    const answers = await Promise.all([...file.chunks.keys()].map((index) => sendChunk(ann, { file, uploadId, index })))
    const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', ann).execute()
    const completed = await complete(ann, { file, uploadId })

    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200, 200, 200])
    expect(use).toMatchObject([{ user_id: ann, used_bytes: 0, reserved_bytes: file.plain.length, file_count: 0 }])
    expect(completed.statusCode).toBe(200)
  },
  { storageBytes: 7 * recordBytes },
)

onFileServerWithBothDatabases('T126 completion waits for a chunk that is still being received', async (server) => {
  const { createUser, sendChunk, beginChunk, complete, call, bytesFolder } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const uploadId = randomUploadId()
  for (const index of [0, 1]) await sendChunk(ann, { file, uploadId, index })
  const last = file.chunks[2] ?? Buffer.alloc(0)
  const { request, status } = await beginChunk(ann, { file, uploadId, index: 2 })
  request.write(last.subarray(0, 50))
  await waitUntil(() => storedObjects(bytesFolder).length === 3)

  const completion = complete(ann, { file, uploadId })
  const early = await Promise.race([
    completion.then(() => 'completed'),
    new Promise((resolve) => setTimeout(resolve, 100, 'waits')),
  ])
  request.end(last.subarray(50))
  const { fileId } = (await completion).json()

  expect(early).toBe('waits')
  expect(await status()).toBe(200)
  const download = await call(ann, 'GET', `/api/download/${fileId}`)
  expect(download.rawPayload.equals(file.sealed)).toBe(true)
})

onFileServerWithBothDatabases(
  'T127 a chunk that is sent again while its predecessor is still running is stored once and whole',
  async (server) => {
    const { createUser, sendChunk, beginChunk, complete, call, bytesFolder } = server
    const ann = await createUser()
    const file = await sealThreeChunkFile()
    const uploadId = randomUploadId()
    const stale = await beginChunk(ann, { file, uploadId, index: 0 })
    stale.request.on('error', () => undefined)
    stale.request.write(randomBytes(recordBytes / 2))
    await waitUntil(() => storedObjects(bytesFolder).length === 1)

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

onFileServerWithBothDatabases('T116 a chunk can be replaced until the upload is complete', async (server) => {
  const { createUser, sendChunk, complete, call, bytesFolder } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const uploadId = randomUploadId()
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
})

onFileServerWithBothDatabases(
  'T128 a chunk after completion gets UPLOAD_FINISHED and changes nothing',
  async (server) => {
    const { createUser, sendChunk, complete, call } = server
    const ann = await createUser()
    const file = await sealThreeChunkFile()
    const uploadId = randomUploadId()
    for (const index of file.chunks.keys()) await sendChunk(ann, { file, uploadId, index })
    const { fileId } = (await complete(ann, { file, uploadId })).json()

    const late = await sendChunk(ann, { file, uploadId, index: 0, bytes: randomBytes(file.chunks[0]?.length ?? 0) })

    expect([late.statusCode, late.json().code]).toEqual([409, 'UPLOAD_FINISHED'])
    expect((await call(ann, 'DELETE', `/api/uploads/${uploadId}`)).json().code).toBe('UPLOAD_FINISHED')
    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    expect(download.rawPayload.equals(file.sealed)).toBe(true)
  },
)

onFileServerWithBothDatabases(
  'T128 cancelling an upload releases its storage, and it cannot be reopened',
  async (server) => {
    const { createUser, sendChunk, complete, call, db, bytesFolder } = server
    const ann = await createUser()
    const file = await sealThreeChunkFile()
    const uploadId = randomUploadId()
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
  },
)

onFileServerWithBothDatabases(
  'T128 an upload that is cancelled before its first chunk is never opened',
  async (server) => {
    const { createUser, sendChunk, complete, call, db, bytesFolder } = server
    const [ann, bob] = [await createUser(), await createUser()]
    const file = await sealThreeChunkFile()
    const uploadId = randomUploadId()

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
  },
)

onFileServerWithBothDatabases('cancelling unknown ids stores a bounded number of rows', async (server) => {
  const { createUser, call, sendChunk, db } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const open = randomUploadId()
  await sendChunk(ann, { file, uploadId: open, index: 0 })

  for (let count = 0; count < 105; count += 1) await call(ann, 'DELETE', `/api/uploads/${randomUploadId()}`)
  const cancelled = await call(ann, 'DELETE', `/api/uploads/${open}`)

  expect(await db.selectFrom('uploads').select('id').execute()).toHaveLength(101)
  expect(cancelled.statusCode).toBe(200)
})

onFileServerWithBothDatabases(
  'cancelling aborts a running chunk',
  async ({ createUser, beginChunk, call, bytesFolder }) => {
    const ann = await createUser()
    const file = await sealThreeChunkFile()
    const uploadId = randomUploadId()
    const { request, status } = await beginChunk(ann, { file, uploadId, index: 0 })
    request.on('error', () => undefined)
    request.write(Buffer.alloc(1000))
    await waitUntil(() => storedObjects(bytesFolder).length === 1)

    const cancelled = await call(ann, 'DELETE', `/api/uploads/${uploadId}`)

    expect(cancelled.statusCode).toBe(200)
    expect(await status()).toBe(404)
    expect(storedObjects(bytesFolder)).toEqual([])
    request.destroy()
  },
)

onFileServerWithBothDatabases('FIL-06 a file of any size can be uploaded in one request', async (server) => {
  const { createUser, bearerOf, call, events } = server
  const ann = await createUser()
  const sizes = [3 * recordBytes + 5, 0, maximumChunkBytes + 5]
  const files = await Promise.all(sizes.map((plainBytes) => sealFile({ plainBytes })))
  const upload = (file: (typeof files)[number]) =>
    call(ann, 'POST', '/api/upload', {
      headers: {
        ...bearerOf(ann),
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
})

onFileServerWithBothDatabases('T144 an upload continues after a server restart', async (server) => {
  const { createUser, sendChunk } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const uploadId = randomUploadId()
  await sendChunk(ann, { file, uploadId, index: 0 })

  const restarted = await startFileServer(server)
  for (const index of [1, 2]) await restarted.sendChunk(ann, { file, uploadId, index })
  const { fileId } = (await restarted.complete(ann, { file, uploadId })).json()

  const download = await restarted.call(ann, 'GET', `/api/download/${fileId}`)
  expect(download.rawPayload.equals(file.sealed)).toBe(true)
})
