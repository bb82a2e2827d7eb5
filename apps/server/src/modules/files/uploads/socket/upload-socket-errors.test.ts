import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import { sealFile, type TestFile } from '../../../../testing/clients/sealed-file.ts'
import {
  issueUploadTicket,
  openUploadSocket,
  SocketRejected,
  uploadStartMessage,
} from '../../../../testing/clients/upload-socket.ts'
import {
  type FileServer,
  onFileServer,
  randomUploadId,
  storedObjects,
  waitUntil,
} from '../../../../testing/servers/file-server.ts'

const recordBytes = 64 * 1024
const sealThreeChunkFile = () => sealFile({ plainBytes: 2 * recordBytes + 100 })

/** The HTTP status with which a WebSocket upgrade is rejected; 101 if it succeeds. */
async function statusOf(opening: Promise<{ readonly socket: { terminate(): void } }>): Promise<number> {
  try {
    ;(await opening).socket.terminate()
    return 101
  } catch (error) {
    if (error instanceof SocketRejected) return error.status
    throw error
  }
}

onFileServer(
  'T191 T192 FIL-07 an upload socket requires our own origin and an unused, unexpired upload ticket',
  async (server) => {
    const ann = await server.createUser()
    const open = (opening: object) => statusOf(openUploadSocket(server, ann, opening))
    const used = await issueUploadTicket(server, ann)
    const late = await issueUploadTicket(server, ann)
    const live = await server.tickets.issue({ purpose: 'live', userId: ann, authSessionId: ann })

    const origins = [
      await open({ origin: 'http://evil.test' }),
      await open({ origin: null }),
      await open({ origin: 'null' }),
    ]
    const tickets = [await open({ session: used }), await open({ session: used }), await open({ session: live })]
    const missing = [
      await open({ session: '' }),
      await open({ session: ann }),
      await open({ session: 'x'.repeat(9000) }),
    ]
    server.advance(30_001)
    const expired = await open({ session: late })

    expect(origins).toEqual([403, 403, 403])
    expect(tickets).toEqual([101, 401, 401])
    expect(missing).toEqual([401, 401, 401])
    expect(expired).toBe(401)
  },
)

onFileServer('T109 another user’s session does not open an upload socket', async (server) => {
  const { createUser, bearerOf } = server
  const [ann, bob] = [await createUser(), await createUser()]
  const open = (session: string, headers = bearerOf(ann)) =>
    statusOf(openUploadSocket(server, ann, { session, headers }))

  const statuses = [await open(bob), await open(await issueUploadTicket(server, bob)), await open(''), await open(ann)]
  const fromElsewhere = await statusOf(
    openUploadSocket(server, ann, { session: ann, headers: bearerOf(ann), origin: 'http://evil.test' }),
  )

  expect(statuses).toEqual([403, 403, 403, 101])
  expect(fromElsewhere).toBe(403)
})

/** The error code of an upload whose start message has these fields changed. */
async function codeOf(server: FileServer, file: TestFile, fields: object): Promise<string> {
  const socket = await openUploadSocket(server, await server.createUser())
  const start = { ...uploadStartMessage(file), ...fields }
  socket.sendJson(start)
  socket.send(file.sealed)
  const { code } = await socket.waitForMessage('upload-error')
  expect(await socket.waitForClose()).toBe(1008)
  return code
}

onFileServer(
  'FIL-07 T130 T142 T145 T146 an inconsistent upload gets an error code and nothing is stored',
  async (server) => {
    const file = await sealThreeChunkFile()
    const other = await sealThreeChunkFile()
    const code = (fields: object) => codeOf(server, file, fields)

    expect(await code({ fileName: 'plain.pdf' })).toBe('SEALED_NAME_REQUIRED')
    expect(await code({ encryptedFileKey: 'short' })).toBe('ENVELOPE_INVALID')
    expect(await code({ encryptedFileKey: await file.wrap('share', randomBytes(32)) })).toBe('ENVELOPE_KIND')
    expect(await code({ fileSize: file.plain.length + 1 })).toBe('BAD_REQUEST')
    expect(await code({ encryptedSize: file.sealed.length + 1 })).toBe('CHUNK_TOO_LONG')
    expect(await code({ encryptedSize: file.sealed.length - 1 })).toBe('CHUNK_LENGTH_WRONG')
    expect(await code({ encryptedSize: -1 })).toBe('BAD_REQUEST')
    expect(await code({ chunkSize: 1000 })).toBe('BAD_REQUEST')
    expect(await code({ chunkSize: recordBytes, chunkIndex: 3 })).toBe('CHUNK_INDEX_INVALID')
    expect(await code({ fileExpirationMinutes: 2 })).toBe('EXPIRATION_NOT_OFFERED')
    expect(await code({ uploadId: '../../x' })).toBe('BAD_REQUEST')
    expect(await code({ type: 'upload' })).toBe('BAD_REQUEST')
    expect(await code({ encryptedFileKey: other.envelope, encryptedSize: '9'.repeat(16) })).toBe('BAD_REQUEST')
    await waitUntil(() => storedObjects(server.bytesFolder).length === 0)
    const open = await server.db.selectFrom('uploads').select('id').where('cancelled_at', 'is', null).execute()
    expect(open).toEqual([])
  },
)

onFileServer('what follows an error is read slowly, so that it does not delay other users', async (server) => {
  const file = await sealThreeChunkFile()
  const socket = await openUploadSocket(server, await server.createUser())
  const connection = (socket.socket as unknown as { readonly _socket: Socket })._socket
  // The client ignores that the server closes the socket.
  connection.removeAllListeners('data').resume()
  socket.sendJson({ ...uploadStartMessage(file), chunkSize: 1000 })
  const startedAt = performance.now()

  await new Promise((resolve) => connection.write(longFrame(16 * 1024 * 1024), resolve))

  expect(performance.now() - startedAt).toBeGreaterThan(500)
  connection.destroy()
})

/** A masked binary frame (RFC 6455, section 5.2) under a mask of zeros. */
function longFrame(contentBytes: number): Buffer {
  const header = Buffer.alloc(14)
  header[0] = 0x82
  header[1] = 0x80 | 127
  header.writeBigUInt64BE(BigInt(contentBytes), 2)
  return Buffer.concat([header, Buffer.alloc(contentBytes)])
}

onFileServer('T130 a single-chunk upload rejects bytes beyond its chunk', async (server) => {
  const file = await sealThreeChunkFile()

  const code = await codeOf(server, file, { chunkSize: recordBytes, chunkIndex: 2 })

  await waitUntil(() => storedObjects(server.bytesFolder).length === 0)
  expect(code).toBe('CHUNK_TOO_LONG')
})

onFileServer(
  'FIL-20 T129 the storage limit applies to uploads over a socket before any bytes are sent',
  async (server) => {
    const ann = await server.createUser()
    const file = await sealThreeChunkFile()
    server.limits.storageBytes = file.plain.length - 1
    const socket = await openUploadSocket(server, ann)

    socket.sendJson(uploadStartMessage(file))

    expect(await socket.waitForMessage('upload-error')).toMatchObject({
      code: 'STORAGE_LIMIT',
      status: 413,
      error: 'Storage limit reached: 0 Bytes of 128.10 KB used',
    })
  },
)

onFileServer('T201 completing an upload of another socket gets UPLOAD_NOT_FOUND', async (server) => {
  const { createUser, sendChunk, call } = server
  const [ann, bob] = [await createUser(), await createUser()]
  const file = await sealThreeChunkFile()
  const uploadId = randomUploadId()
  for (const index of file.chunks.keys()) await sendChunk(ann, { file, uploadId, index })
  const signal = { type: 'upload-complete-signal', uploadId, actualEncryptedSize: file.sealed.length }

  const codes = []
  for (const user of [bob, ann]) {
    const socket = await openUploadSocket(server, user)
    socket.sendJson(signal)
    codes.push((await socket.waitForMessage('upload-error')).code)
  }
  const own = await openUploadSocket(server, ann)
  own.sendJson(uploadStartMessage(file, uploadId))

  expect(codes).toEqual(['UPLOAD_NOT_FOUND', 'UPLOAD_NOT_FOUND'])
  // An upload that was started over HTTP is neither taken over nor cancelled.
  expect((await own.waitForMessage('upload-error')).code).toBe('CONFLICT')
  await own.waitForClose()
  expect((await call(ann, 'GET', `/api/uploads/${uploadId}`)).json().received).toEqual([[0, 2]])
  expect((await call(ann, 'GET', '/api/files')).json().files).toEqual([])
})

onFileServer('T124 FIL-07 completion with the wrong number of bytes gets CHUNK_LENGTH_WRONG', async (server) => {
  const file = await sealThreeChunkFile()
  const codes = []
  for (const [sent, declared] of [
    [file.sealed.length - 1, file.sealed.length - 1],
    [file.sealed.length, file.sealed.length - 1],
    [file.sealed.length - 1, file.sealed.length],
  ] as const) {
    const start = uploadStartMessage(file)
    const socket = await openUploadSocket(server, await server.createUser())
    socket.sendJson(start)
    socket.send(file.sealed.subarray(0, sent))
    socket.sendJson({ type: 'upload-complete-signal', uploadId: start.uploadId, actualEncryptedSize: declared })
    codes.push((await socket.waitForMessage('upload-error')).code)
  }

  expect(codes).toEqual(['CHUNK_LENGTH_WRONG', 'CHUNK_LENGTH_WRONG', 'CHUNK_LENGTH_WRONG'])
})

onFileServer('T194 T196 invalid and oversized frames close only their own socket', async (server) => {
  const ann = await server.createUser()
  const deep = '['.repeat(10_000)
  const nonsense = ['', '{', 'null', '[]', '7', deep, '{"type":"__proto__"}', `{"type":"${'x'.repeat(70_000)}"}`]

  const codes = []
  for (const text of nonsense) {
    const socket = await openUploadSocket(server, ann)
    socket.socket.send(text)
    codes.push((await socket.waitForMessage('upload-error')).code)
    await socket.waitForClose()
  }
  const early = await openUploadSocket(server, ann)
  early.send(randomBytes(10))
  const long = await openUploadSocket(server, ann)
  long.socket.on('error', () => undefined)
  long.socket.send(Buffer.alloc(34 * 1024 * 1024))

  expect(codes).toEqual(nonsense.map(() => 'BAD_REQUEST'))
  expect((await early.waitForMessage('upload-error')).code).toBe('BAD_REQUEST')
  expect(await long.waitForClose()).toBe(1009)
  expect((await server.call(ann, 'GET', '/api/files')).statusCode).toBe(200)
})

onFileServer('T197 an account can have 6 upload sockets; the 7th gets 429 until one is closed', async (server) => {
  const ann = await server.createUser()
  const open = await Promise.all(Array.from({ length: 6 }, () => openUploadSocket(server, ann)))

  const seventh = await statusOf(openUploadSocket(server, ann))
  open[0]?.socket.close()
  await open[0]?.waitForClose()
  await waitUntil(async () => (await statusOf(openUploadSocket(server, ann))) === 101)
  const bobs = await statusOf(openUploadSocket(server, await server.createUser()))

  expect(seventh).toBe(429)
  expect(bobs).toBe(101)
})

onFileServer('T202 an invalid upgrade gets a response at once and uses up its ticket', async (server) => {
  const ann = await server.createUser()
  const port = await server.listen()
  const ticket = await issueUploadTicket(server, ann)
  const requestUpgrade = (key: string): Promise<string> =>
    new Promise((resolve) => {
      const connection = connect(port, '127.0.0.1')
      let answer = ''
      connection.on('data', (piece) => {
        answer += piece
      })
      connection.on('close', () => resolve(answer.slice(0, 12)))
      connection.write(
        `GET /api/ws-upload?session=${ticket} HTTP/1.1\r\nHost: x\r\nOrigin: http://sallyport.test\r\nConnection: Upgrade\r\n` +
          `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n${key}\r\n\r\n`,
      )
    })

  const answers = [
    await requestUpgrade('Sec-WebSocket-Key: no'),
    await requestUpgrade(`Sec-WebSocket-Key: ${'A'.repeat(22)}==`),
  ]

  expect(answers).toEqual(['HTTP/1.1 400', 'HTTP/1.1 401'])
})
