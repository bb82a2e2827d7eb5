import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { revokedTopic } from '../live/announce.ts'
import { sealFile } from '../testing/sealed-file.ts'
import { anUploadId, onStoringServer, storedObjects, until } from '../testing/storing-server.ts'
import { openUploadSocket, startOf } from '../testing/upload-socket.ts'

const recordBytes = 64 * 1024

onStoringServer(
  'FIL-07 a file that comes over a socket is stored as any other, and told of as it comes',
  async (server) => {
    const { aUser, call, events } = server
    const ann = await aUser()
    const file = await sealFile({ plainBytes: 9 * 1024 * 1024 + 5 })
    const start = startOf(file)
    const socket = await openUploadSocket(server, ann)

    socket.say(start)
    for (let first = 0; first < file.sealed.length; first += 300_000) {
      socket.send(file.sealed.subarray(first, first + 300_000))
    }
    socket.say({ type: 'upload-complete-signal', uploadId: start.uploadId, actualEncryptedSize: file.sealed.length })
    const { fileId } = await socket.answer('upload-complete')

    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    const { files } = (await call(ann, 'GET', '/api/files')).json()
    const last = socket.answers.filter(({ type }) => type === 'upload-progress').at(-1)
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
    expect(socket.answers.length).toBeGreaterThan(9)
    expect(events.map(({ event }) => event.type)).toEqual(['file.inserted'])
  },
)

onStoringServer(
  'FIL-07 one socket carries one file after the other, also when nobody waits for answers',
  async (server) => {
    const { aUser, call } = server
    const ann = await aUser()
    const files = await Promise.all([0, 1, 70_000].map((plainBytes) => sealFile({ plainBytes })))
    const socket = await openUploadSocket(server, ann)

    for (const file of files) {
      const start = startOf(file)
      socket.say(start)
      socket.send(file.sealed)
      socket.say({ type: 'upload-complete-signal', uploadId: start.uploadId, actualEncryptedSize: file.sealed.length })
    }
    await until(() => socket.answers.filter(({ type }) => type === 'upload-complete').length === 3)

    const listed = (await call(ann, 'GET', '/api/files')).json().files as { size: number }[]
    expect(listed.map(({ size }) => size).sort((one, other) => one - other)).toEqual([0, 1, 70_000])
  },
)

onStoringServer(
  'FIL-07 a foreign client that only knows the messages stores its file on a server that is not strict',
  async (server) => {
    const { aUser, call } = server
    const ann = await aUser()
    const plainBytes = 8 * 1024 * 1024 + 1000
    const sealed = randomBytes(plainBytes + 2 * 28)
    const uploadId = anUploadId()
    const socket = await openUploadSocket(server, ann, { session: ann, headers: server.as(ann), origin: null })

    socket.say({
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
    socket.say({ type: 'upload-complete-signal', payload: { uploadId, actualEncryptedSize: sealed.length } })
    const { fileId } = await socket.answer('upload-complete')

    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    const { files } = (await call(ann, 'GET', '/api/files')).json()
    expect(download.rawPayload.equals(sealed)).toBe(true)
    expect(download.headers['x-chunk-size']).toBe(String(8 * 1024 * 1024))
    expect(files).toMatchObject([{ originalName: 'my file.pdf', size: plainBytes, encryptedFileKey: 'any key' }])
  },
  { strict: false },
)

onStoringServer('FIL-07 a socket that is closed before the end leaves nothing behind', async (server) => {
  const { aUser, call, db, bytesFolder, limits } = server
  const ann = await aUser()
  const file = await sealFile({ plainBytes: 9 * 1024 * 1024 })
  limits.storageBytes = file.plain.length
  const start = startOf(file)
  const socket = await openUploadSocket(server, ann)
  socket.say(start)
  socket.send(file.sealed.subarray(0, file.sealed.length - 1))
  await until(() => storedObjects(bytesFolder).length > 1)

  socket.socket.terminate()

  await until(() => storedObjects(bytesFolder).length === 0)
  const use = () => db.selectFrom('storage_use').selectAll().where('user_id', '=', ann).executeTakeFirstOrThrow()
  await until(async () => (await use()).reserved_bytes === 0)
  const { uploads } = (await call(ann, 'GET', '/api/uploads')).json()
  expect(uploads).toEqual([])
  // What was taken back is free for the next one.
  expect(await server.store(ann, file)).toEqual(expect.any(String))
})

onStoringServer(
  'FIL-07 a chunk by itself joins those that came by requests, and stays when the socket is cut',
  async (server) => {
    const { aUser, sendChunk, complete, call } = server
    const ann = await aUser()
    const file = await sealFile({ plainBytes: 2 * recordBytes + 100 })
    const uploadId = anUploadId()
    await sendChunk(ann, { file, uploadId, index: 0 })
    const start = { ...startOf(file, uploadId), chunkSize: file.chunkBytes }

    const first = await openUploadSocket(server, ann)
    first.say({ ...start, chunkIndex: 2 })
    first.send(file.chunks[2] ?? Buffer.alloc(0))
    await first.answer('upload-chunk-stored')
    first.say({ ...start, chunkIndex: 1 })
    first.send((file.chunks[1] ?? Buffer.alloc(0)).subarray(1))
    first.socket.terminate()
    const { received } = (await call(ann, 'GET', `/api/uploads/${uploadId}`)).json()
    const second = await openUploadSocket(server, ann)
    second.say({ ...start, chunkIndex: 1 })
    second.send(file.chunks[1] ?? Buffer.alloc(0))
    await second.answer('upload-chunk-stored')

    const { fileId } = (await complete(ann, { file, uploadId })).json()
    const download = await call(ann, 'GET', `/api/download/${fileId}`)
    expect(received).toEqual([
      [0, 0],
      [2, 2],
    ])
    expect(download.rawPayload.equals(file.sealed)).toBe(true)
  },
)

onStoringServer('T193 an upload ends with its sign-in, and nothing of it stays', async (server) => {
  const { aUser, bus, bytesFolder, watched } = server
  const ann = await aUser()
  const file = await sealFile({ plainBytes: 200_000 })
  const socket = await openUploadSocket(server, ann)
  socket.say(startOf(file))
  socket.send(file.sealed.subarray(0, 100_000))
  await until(() => storedObjects(bytesFolder).length > 0)
  const wasWatched = watched.has(ann)

  bus.publish(revokedTopic, { userId: ann, signInId: ann })

  const { code } = await socket.answer('upload-error')
  await socket.closed()
  await until(() => storedObjects(bytesFolder).length === 0)
  expect(code).toBe('SESSION_EXPIRED')
  expect([wasWatched, watched.has(ann)]).toEqual([true, false])
})

onStoringServer(
  'FIL-07 a sender waits while the disk is slower, and its bytes do not gather in memory meanwhile',
  async (server) => {
    const ann = await server.aUser()
    const file = await sealFile({ plainBytes: 24 * 1024 * 1024 })
    const start = startOf(file)
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    for (const volume of server.volumes.all) {
      const { put } = volume
      volume.put = async (object) => {
        await held
        return put(object)
      }
    }
    const socket = await openUploadSocket(server, ann)

    socket.say(start)
    for (let first = 0; first < file.sealed.length; first += 256 * 1024) {
      socket.send(file.sealed.subarray(first, first + 256 * 1024))
    }
    let waiting = 0
    await until(async () => {
      const before = waiting
      await new Promise((resolve) => setTimeout(resolve, 100))
      waiting = socket.socket.bufferedAmount
      return waiting === before
    })
    const readBytes = socket.answers.map((answer) => (answer.type === 'upload-progress' ? answer.bytesRead : 0))
    letGo()
    socket.say({ type: 'upload-complete-signal', uploadId: start.uploadId, actualEncryptedSize: file.sealed.length })
    await socket.answer('upload-complete')

    // A frame or two may be read before the pause takes hold.
    expect(Math.max(...readBytes)).toBeLessThan(3 * 1024 * 1024)
    expect(waiting).toBeGreaterThan(8 * 1024 * 1024)
  },
)
