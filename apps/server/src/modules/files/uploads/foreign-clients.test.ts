import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { type FileServer, onFileServer, randomUploadId } from '../../../testing/servers/file-server.ts'

const chunkBytes = 1000
const sealedChunkBytes = chunkBytes + 28
const notStrict = { strict: false, storageBytes: 2500 }

/** Sends a chunk like a third-party client that knows only the names of the endpoints. */
function sendForeignChunk(
  { app, bearerOf }: FileServer,
  userId: string,
  { uploadId, index, bytes, name = 'my file.pdf' }: SendForeignChunkInput,
) {
  return app.inject({
    method: 'POST',
    url: '/api/upload-chunk',
    headers: {
      ...bearerOf(userId),
      'content-type': 'application/octet-stream',
      'x-upload-id': uploadId,
      'x-chunk-index': String(index),
      'x-file-name': name,
    },
    payload: bytes,
  })
}

interface SendForeignChunkInput {
  readonly uploadId: string
  readonly index: number
  readonly bytes: Buffer
  readonly name?: string
}

const summary = (uploadId: string, totalChunks: number) => ({
  payload: { uploadId, fileName: 'my file.pdf', encryptedFileKey: 'any key', totalChunks, chunkSize: chunkBytes },
})

onFileServer(
  'a server that is not strict stores the files of a third-party client unchanged',
  async (server) => {
    const { createUser, call, bearerOf } = server
    const ann = await createUser()
    const uploadId = randomUploadId()
    const chunks = [randomBytes(sealedChunkBytes), randomBytes(sealedChunkBytes), randomBytes(128)]
    const sealed = Buffer.concat(chunks)

    for (const index of [2, 0, 1]) {
      await sendForeignChunk(server, ann, { uploadId, index, bytes: chunks[index] ?? Buffer.alloc(0) })
    }
    const { fileId } = (await call(ann, 'POST', '/api/complete-chunk-upload', summary(uploadId, 3))).json()
    const { files } = (await call(ann, 'GET', '/api/files')).json()
    const headers = { ...bearerOf(ann), 'x-encryption-key': 'whatever a foreign client sends' }
    const download = await call(ann, 'GET', `/api/download/${fileId}`, { headers })
    const range = await call(ann, 'GET', `/api/download/${fileId}`, {
      headers: { ...bearerOf(ann), range: 'bytes=1000-2100' },
    })

    expect(files[0]).toMatchObject({ originalName: 'my file.pdf', size: 2100, encryptedFileKey: 'any key' })
    expect(download.rawPayload.equals(sealed)).toBe(true)
    expect(download.headers).toMatchObject({
      'x-chunk-size': '1000',
      'content-disposition': 'attachment; filename="my file.pdf"',
    })
    expect(range.rawPayload.equals(sealed.subarray(1000, 2101))).toBe(true)
  },
  notStrict,
)

onFileServer(
  'a third-party client that completes with the wrong number of chunks gets an error',
  async (server) => {
    const { createUser, call } = server
    const ann = await createUser()
    const uploadId = randomUploadId()
    await sendForeignChunk(server, ann, { uploadId, index: 0, bytes: randomBytes(sealedChunkBytes) })
    await sendForeignChunk(server, ann, { uploadId, index: 2, bytes: randomBytes(100) })
    const complete = (totalChunks: number) =>
      call(ann, 'POST', '/api/complete-chunk-upload', summary(uploadId, totalChunks))

    expect((await complete(3)).json().details).toEqual({ missing: [1] })
    expect((await complete(1)).json().code).toBe('UPLOAD_MISMATCH')
    expect((await complete(0)).statusCode).toBe(400)
    expect((await complete(2 ** 31)).statusCode).toBe(400)
  },
  notStrict,
)

onFileServer(
  'T131 FIL-20 a third-party client’s chunks reserve storage as they arrive, and cancelling releases it',
  async (server) => {
    const { createUser, call, db } = server
    const ann = await createUser()
    const uploadId = randomUploadId()
    const send = (index: number, bytes = sealedChunkBytes) =>
      sendForeignChunk(server, ann, { uploadId, index, bytes: randomBytes(bytes) })
    const reserved = async () =>
      (await db.selectFrom('storage_use').selectAll().executeTakeFirstOrThrow()).reserved_bytes

    await send(0)
    await send(1)
    await send(1)
    const afterRetry = await reserved()
    const rejected = await send(2, 529)
    const fits = await send(2, 528)
    const full = await reserved()
    await call(ann, 'DELETE', `/api/uploads/${uploadId}`)

    expect(afterRetry).toBe(2000)
    expect(rejected.json()).toMatchObject({
      code: 'STORAGE_LIMIT',
      error: 'Storage limit reached: 1.95 KB of 2.44 KB used',
    })
    expect(fits.statusCode).toBe(200)
    expect(full).toBe(2500)
    expect(await reserved()).toBe(0)
  },
  notStrict,
)

onFileServer(
  'T160 T161 a server that is not strict rejects names that could break out of a header',
  async (server) => {
    const { createUser } = server
    const ann = await createUser()
    const names = ['a"; filename="b', 'a\\', 'a\tb', 'caf\u00e9', 'x'.repeat(1025)]

    const statuses = []
    for (const name of names) {
      const input = { uploadId: randomUploadId(), index: 0, bytes: randomBytes(100), name }
      statuses.push((await sendForeignChunk(server, ann, input)).statusCode)
    }

    expect(statuses).toEqual([400, 400, 400, 400, 400])
  },
  notStrict,
)

onFileServer(
  'a server that is not strict accepts encrypted files',
  async (server) => {
    const { createUser, store, call } = server
    const ann = await createUser()
    const file = await sealFile({ plainBytes: 2000 })

    const fileId = await store(ann, file)

    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    expect(download.headers['x-chunk-size']).toBe(String(64 * 1024))
    expect((await call(ann, 'GET', '/api/files')).json().files[0].size).toBe(2000)
  },
  notStrict,
)

onFileServer(
  'a third-party client uploads a small file in one request',
  async (server) => {
    const { createUser, call, bearerOf } = server
    const ann = await createUser()
    const bytes = randomBytes(528)
    const headers = {
      ...bearerOf(ann),
      'content-type': 'application/octet-stream',
      'x-file-name': 'note.txt',
      'x-encrypted-file-key': 'any key',
    }

    const { id } = (await call(ann, 'POST', '/api/upload', { headers, payload: bytes })).json()

    const download = await call(ann, 'GET', `/api/download/${id}`)
    expect(download.rawPayload.equals(bytes)).toBe(true)
    expect(download.headers['x-chunk-size']).toBe('500')
  },
  notStrict,
)

onFileServer('FIL-06 a body without a content type is accepted only by endpoints that take bytes', async (server) => {
  const { app, createUser, bearerOf, call } = server
  const ann = await createUser()
  const file = await sealFile({ plainBytes: 2000 })
  const uploadId = randomUploadId()
  const sealed = { ...bearerOf(ann), 'x-file-name': file.name, 'x-encrypted-file-key': file.envelope }
  const chunk = { ...sealed, 'x-upload-id': uploadId, 'x-chunk-index': '0' }
  const post = (url: string, headers: Record<string, string>, payload: Buffer | string) =>
    app.inject({ method: 'POST', url, headers, payload })

  const whole = await post('/api/upload', sealed, file.sealed)
  const first = await post('/api/upload-chunk', chunk, file.sealed)
  const text = await post('/api/upload', { ...sealed, 'content-type': 'text/plain' }, file.sealed)
  const json = await post('/api/complete-chunk-upload', bearerOf(ann), JSON.stringify({ uploadId }))

  const download = await call(ann, 'GET', `/api/download/${whole.json().id}`)
  expect(download.rawPayload.equals(file.sealed)).toBe(true)
  expect([whole, first, text, json].map((answer) => answer.statusCode)).toEqual([200, 200, 415, 415])
})
