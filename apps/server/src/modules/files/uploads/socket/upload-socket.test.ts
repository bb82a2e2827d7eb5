import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { revokedTopic } from '../../../../platform/events/publish.ts'
import { sealFile } from '../../../../testing/clients/sealed-file.ts'
import { openUploadSocket, uploadStartMessage } from '../../../../testing/clients/upload-socket.ts'
import { onFileServer, randomUploadId, storedObjects, waitUntil } from '../../../../testing/servers/file-server.ts'

const recordBytes = 64 * 1024

onFileServer(
  'FIL-07 a file uploaded over a socket is stored like any other, with progress messages',
  async (server) => {
    const { createUser, call, events } = server
    const ann = await createUser()
    const file = await sealFile({ plainBytes: 9 * 1024 * 1024 + 5 })
    const start = uploadStartMessage(file)
    const socket = await openUploadSocket(server, ann)

    socket.sendJson(start)
    for (let first = 0; first < file.sealed.length; first += 300_000) {
      socket.send(file.sealed.subarray(first, first + 300_000))
    }
    socket.sendJson({
      type: 'upload-complete-signal',
      uploadId: start.uploadId,
      actualEncryptedSize: file.sealed.length,
    })
    const { fileId } = await socket.waitForMessage('upload-complete')

    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    const { files } = (await call(ann, 'GET', '/api/files')).json()
    const last = socket.messages.filter(({ type }) => type === 'upload-progress').at(-1)
    expect(download.rawPayload.equals(file.sealed)).toBe(true)
    expect(download.headers['x-chunk-size']).toBe(String(recordBytes))
    expect(files).toMatchObject([{ id: fileId, originalName: file.name, size: file.plain.length }])
    expect(last).toEqual({
      type: 'upload-progress',
      uploadId: start.uploadId,
      progress: 100,
      bytesRead: file.sealed.length,
      totalBytes: file.sealed.length,
    })
    expect(socket.messages.length).toBeGreaterThan(9)
    expect(events.map(({ event }) => event.type)).toEqual(['file.inserted'])
  },
)

onFileServer(
  'FIL-07 one socket carries several files in sequence, even if the client does not wait for replies',
  async (server) => {
    const { createUser, call } = server
    const ann = await createUser()
    const files = await Promise.all([0, 1, 70_000].map((plainBytes) => sealFile({ plainBytes })))
    const socket = await openUploadSocket(server, ann)

    for (const file of files) {
      const start = uploadStartMessage(file)
      socket.sendJson(start)
      socket.send(file.sealed)
      socket.sendJson({
        type: 'upload-complete-signal',
        uploadId: start.uploadId,
        actualEncryptedSize: file.sealed.length,
      })
    }
    await waitUntil(() => socket.messages.filter(({ type }) => type === 'upload-complete').length === 3)

    const listed = (await call(ann, 'GET', '/api/files')).json().files as { size: number }[]
    expect(listed.map(({ size }) => size).sort((one, other) => one - other)).toEqual([0, 1, 70_000])
  },
)

onFileServer(
  'FIL-07 a third-party client uploads a file over a socket to a server that is not strict',
  async (server) => {
    const { createUser, call } = server
    const ann = await createUser()
    const plainBytes = 8 * 1024 * 1024 + 1000
    const sealed = randomBytes(plainBytes + 2 * 28)
    const uploadId = randomUploadId()
    const socket = await openUploadSocket(server, ann, { session: ann, headers: server.bearerOf(ann), origin: null })

    socket.sendJson({
      event: 'upload-start',
      data: {
        uploadId,
        fileName: 'my file.pdf',
        fileSize: String(plainBytes),
        encryptedSize: sealed.length,
        encryptedFileKey: 'any key',
        sessionId: null,
      },
    })
    socket.send(sealed)
    socket.sendJson({ type: 'upload-complete-signal', payload: { uploadId, actualEncryptedSize: sealed.length } })
    const { fileId } = await socket.waitForMessage('upload-complete')

    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    const { files } = (await call(ann, 'GET', '/api/files')).json()
    expect(download.rawPayload.equals(sealed)).toBe(true)
    expect(download.headers['x-chunk-size']).toBe(String(8 * 1024 * 1024))
    expect(files).toMatchObject([{ originalName: 'my file.pdf', size: plainBytes, encryptedFileKey: 'any key' }])
  },
  { strict: false },
)

onFileServer('FIL-07 a socket that is closed before completion leaves no data behind', async (server) => {
  const { createUser, call, db, bytesFolder, limits } = server
  const ann = await createUser()
  const file = await sealFile({ plainBytes: 9 * 1024 * 1024 })
  limits.storageBytes = file.plain.length
  const start = uploadStartMessage(file)
  const socket = await openUploadSocket(server, ann)
  socket.sendJson(start)
  socket.send(file.sealed.subarray(0, file.sealed.length - 1))
  await waitUntil(() => storedObjects(bytesFolder).length > 1)

  socket.socket.terminate()

  await waitUntil(() => storedObjects(bytesFolder).length === 0)
  const use = () => db.selectFrom('storage_use').selectAll().where('user_id', '=', ann).executeTakeFirstOrThrow()
  await waitUntil(async () => (await use()).reserved_bytes === 0)
  const { uploads } = (await call(ann, 'GET', '/api/uploads')).json()
  expect(uploads).toEqual([])
  // The released storage is available to the next upload.
  expect(await server.store(ann, file)).toEqual(expect.any(String))
})

onFileServer(
  'FIL-07 a single chunk sent over a socket joins an upload over HTTP and survives the loss of the socket',
  async (server) => {
    const { createUser, sendChunk, complete, call } = server
    const ann = await createUser()
    const file = await sealFile({ plainBytes: 2 * recordBytes + 100 })
    const uploadId = randomUploadId()
    await sendChunk(ann, { file, uploadId, index: 0 })
    const start = { ...uploadStartMessage(file, uploadId), chunkSize: file.chunkBytes }

    const first = await openUploadSocket(server, ann)
    first.sendJson({ ...start, chunkIndex: 2 })
    first.send(file.chunks[2] ?? Buffer.alloc(0))
    await first.waitForMessage('upload-chunk-stored')
    first.sendJson({ ...start, chunkIndex: 1 })
    first.send((file.chunks[1] ?? Buffer.alloc(0)).subarray(1))
    first.socket.terminate()
    const { received } = (await call(ann, 'GET', `/api/uploads/${uploadId}`)).json()
    const second = await openUploadSocket(server, ann)
    second.sendJson({ ...start, chunkIndex: 1 })
    second.send(file.chunks[1] ?? Buffer.alloc(0))
    await second.waitForMessage('upload-chunk-stored')

    const { fileId } = (await complete(ann, { file, uploadId })).json()
    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    expect(received).toEqual([
      [0, 0],
      [2, 2],
    ])
    expect(download.rawPayload.equals(file.sealed)).toBe(true)
  },
)

onFileServer('T193 an upload is cancelled when its auth session is revoked', async (server) => {
  const { createUser, bus, bytesFolder, watchedUsers } = server
  const ann = await createUser()
  const file = await sealFile({ plainBytes: 200_000 })
  const socket = await openUploadSocket(server, ann)
  socket.sendJson(uploadStartMessage(file))
  socket.send(file.sealed.subarray(0, 100_000))
  await waitUntil(() => storedObjects(bytesFolder).length > 0)
  const wasWatched = watchedUsers.has(ann)

  bus.publish(revokedTopic, { userId: ann, signInId: ann })

  const { code } = await socket.waitForMessage('upload-error')
  await socket.waitForClose()
  await waitUntil(() => storedObjects(bytesFolder).length === 0)
  expect(code).toBe('SESSION_EXPIRED')
  expect([wasWatched, watchedUsers.has(ann)]).toEqual([true, false])
})

onFileServer(
  'FIL-07 backpressure: a sender waits for a slow disk, and its bytes do not accumulate in memory',
  async (server) => {
    const ann = await server.createUser()
    const file = await sealFile({ plainBytes: 24 * 1024 * 1024 })
    const start = uploadStartMessage(file)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    for (const volume of server.volumes.all) {
      const { put } = volume
      volume.put = async (object) => {
        await released
        return put(object)
      }
    }
    const socket = await openUploadSocket(server, ann)

    socket.sendJson(start)
    for (let first = 0; first < file.sealed.length; first += 256 * 1024) {
      socket.send(file.sealed.subarray(first, first + 256 * 1024))
    }
    let waiting = 0
    await waitUntil(async () => {
      const before = waiting
      await new Promise((resolve) => setTimeout(resolve, 100))
      waiting = socket.socket.bufferedAmount
      return waiting === before
    })
    const readBytes = socket.messages.map((answer) => (answer.type === 'upload-progress' ? answer.bytesRead : 0))
    release()
    socket.sendJson({
      type: 'upload-complete-signal',
      uploadId: start.uploadId,
      actualEncryptedSize: file.sealed.length,
    })
    await socket.waitForMessage('upload-complete')

    // One or two frames may be read before the pause takes effect.
    expect(Math.max(...readBytes)).toBeLessThan(3 * 1024 * 1024)
    expect(waiting).toBeGreaterThan(8 * 1024 * 1024)
  },
)
