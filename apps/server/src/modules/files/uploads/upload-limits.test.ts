import { expect } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { onFileServer, randomUploadId, storedObjects } from '../../../testing/servers/file-server.ts'

const recordBytes = 64 * 1024

/** A file with three chunks, the last of them short. */
const sealThreeChunkFile = () => sealFile({ plainBytes: 2 * recordBytes + 100 })

onFileServer(
  'T129 FIL-20 concurrent uploads never reserve more than the storage of the account',
  async (server) => {
    const { createUser, sendChunk, call, db } = server
    const ann = await createUser()
    const files = await Promise.all(Array.from({ length: 20 }, () => sealFile({ plainBytes: 6000 })))
    const ids = files.map(randomUploadId)

    const answers = await Promise.all(
      files.map((file, position) => sendChunk(ann, { file, uploadId: ids[position] ?? '', index: 0 })),
    )
    const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', ann).executeTakeFirstOrThrow()
    const winner = ids[answers.findIndex((answer) => answer.statusCode === 200)] ?? ''
    await call(ann, 'DELETE', `/api/uploads/${winner}`)
    const [after] = files
    const retried = after && (await sendChunk(ann, { file: after, uploadId: randomUploadId(), index: 0 }))

    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, ...Array(19).fill(413)])
    expect(use.reserved_bytes).toBe(6000)
    expect(retried?.statusCode).toBe(200)
  },
  { storageBytes: 10_000 },
)

onFileServer(
  'T131 FIL-20 an account can be filled to the last byte and no further',
  async (server) => {
    const { createUser, store, sendChunk, call, db } = server
    const ann = await createUser()
    const exact = await sealFile({ plainBytes: 100_000 })
    const more = await sealFile({ plainBytes: 1 })

    const fileId = await store(ann, exact)
    const rejected = await sendChunk(ann, { file: more, uploadId: randomUploadId(), index: 0 })
    await call(ann, 'DELETE', `/api/file/${fileId}`)
    const accepted = await sendChunk(ann, { file: more, uploadId: randomUploadId(), index: 0 })

    expect(rejected.statusCode).toBe(413)
    expect(rejected.json()).toEqual({
      success: false,
      error: 'Storage limit reached: 97.66 KB of 97.66 KB used',
      code: 'STORAGE_LIMIT',
      details: { usedBytes: 100_000, limitBytes: 100_000 },
    })
    expect(accepted.statusCode).toBe(200)
    const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', ann).executeTakeFirstOrThrow()
    expect([use.used_bytes, use.reserved_bytes]).toEqual([0, 1])
  },
  { storageBytes: 100_000 },
)

onFileServer('T132 an account can have 10 open uploads; the 11th gets 429', async ({ createUser, sendChunk }) => {
  const ann = await createUser()
  const file = await sealThreeChunkFile()

  const statuses = []
  for (let count = 0; count < 11; count += 1) {
    statuses.push((await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0 })).statusCode)
  }

  expect(statuses).toEqual([...Array(10).fill(200), 429])
})

onFileServer('T132 at 10 open uploads, one that is idle for 15 minutes is cancelled for the next', async (server) => {
  const { createUser, sendChunk, call, advance, db } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const ids = Array.from({ length: 10 }, () => randomUploadId())
  for (const uploadId of ids) await sendChunk(ann, { file, uploadId, index: 0 })
  advance(15 * 60_000)
  for (const uploadId of ids.slice(1)) await sendChunk(ann, { file, uploadId, index: 1 })

  const replacing = await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0 })
  const refused = await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0 })

  const idle = await call(ann, 'GET', `/api/uploads/${ids[0]}`)
  const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', ann).executeTakeFirstOrThrow()
  expect([replacing.statusCode, refused.statusCode, idle.statusCode]).toEqual([200, 429, 404])
  expect(use.reserved_bytes).toBe(10 * (2 * recordBytes + 100))
})

onFileServer(
  'T132 an account can have 10,000 files, as booked; the next upload gets 413',
  async ({ createUser, store, call, sendChunk, db }) => {
    const ann = await createUser()
    const small = await sealFile({ plainBytes: 1 })
    const file = await sealThreeChunkFile()
    const fileId = await store(ann, small)
    // The files are not counted again for each upload, so the books alone have the other ones.
    await db
      .updateTable('storage_use')
      .set((row) => ({ file_count: row('file_count', '+', 9999) }))
      .execute()

    const rejected = await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0 })
    await call(ann, 'DELETE', `/api/file/${fileId}`)
    const accepted = await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0 })

    expect([rejected.statusCode, rejected.json().code]).toEqual([413, 'TOO_MANY_FILES'])
    expect(accepted.statusCode).toBe(200)
  },
)

onFileServer(
  'T141 PLN-05 after the quota shrinks, what was stored or started stays, and nothing new begins',
  async (server) => {
    const { createUser, sendChunk, complete, call, limits, bytesFolder } = server
    const ann = await createUser()
    const file = await sealThreeChunkFile()
    const uploadId = randomUploadId()
    await sendChunk(ann, { file, uploadId, index: 0 })
    limits.storageBytes = 0

    for (const index of [1, 2]) await sendChunk(ann, { file, uploadId, index })
    const completed = await complete(ann, { file, uploadId })
    const next = await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0 })

    const listed = (await call(ann, 'GET', '/api/files')).json().files
    const read = await call(ann, 'GET', `/api/download/${listed[0].id}`)

    expect(completed.statusCode).toBe(200)
    expect([listed.length, read.statusCode]).toEqual([1, 200])
    expect(next.json().code).toBe('STORAGE_LIMIT')
    expect(storedObjects(bytesFolder)).toHaveLength(3)
  },
)

onFileServer('T142 upload, completion and update accept only the offered lifetimes', async (server) => {
  const { createUser, sendChunk, complete, store, call } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const fileId = await store(ann, file)
  const uploadId = randomUploadId()
  for (const index of file.chunks.keys()) await sendChunk(ann, { file, uploadId, index })

  const statuses = []
  for (const minutes of ['0', '-1', '1000000000', 'soon', '2', '1.5', '']) {
    const headers = { 'x-file-expiration-minutes': minutes }
    statuses.push((await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0, headers })).statusCode)
  }
  for (const fileExpirationMinutes of [0, -1, 1e9, 'soon', 2]) {
    statuses.push((await complete(ann, { file, uploadId, summary: { fileExpirationMinutes } })).statusCode)
    const payload = { expirationMinutes: fileExpirationMinutes }
    statuses.push((await call(ann, 'PATCH', `/api/file/${fileId}`, { payload })).statusCode)
  }

  expect(statuses).toEqual(Array(17).fill(400))
})

onFileServer('the requested lifetime counts from the completion of the upload', async (server) => {
  const { createUser, sendChunk, complete, call, advance, now } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const uploadId = randomUploadId()
  const headers = { 'x-file-expiration-minutes': '15' }
  for (const index of file.chunks.keys()) await sendChunk(ann, { file, uploadId, index, headers })
  advance(3_600_000)

  await complete(ann, { file, uploadId })

  const { files } = (await call(ann, 'GET', '/api/files')).json()
  expect(files[0].expiresAt - files[0].createdAt).toBe(15 * 60_000)
  expect(Math.abs(files[0].createdAt - now())).toBeLessThan(60_000)
})
