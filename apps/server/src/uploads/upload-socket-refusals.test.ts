import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { expect } from 'vitest'
import { sealFile, type TestFile } from '../testing/sealed-file.ts'
import { anUploadId, onStoringServer, type StoringServer, storedObjects, until } from '../testing/storing-server.ts'
import { aTicket, openUploadSocket, SocketRefused, startOf } from '../testing/upload-socket.ts'

const recordBytes = 64 * 1024
const aFile = () => sealFile({ plainBytes: 2 * recordBytes + 100 })

/** The status an attempt to open a socket is refused with; 101 when it is not. */
async function statusOf(opening: Promise<{ readonly socket: { terminate(): void } }>): Promise<number> {
  try {
    ;(await opening).socket.terminate()
    return 101
  } catch (error) {
    if (error instanceof SocketRefused) return error.status
    throw error
  }
}

onStoringServer(
  'T191 T192 FIL-07 an upload socket opens for pages of ours with a ticket that is still good',
  async (server) => {
    const ann = await server.aUser()
    const open = (opening: object) => statusOf(openUploadSocket(server, ann, opening))
    const used = await aTicket(server, ann)
    const late = await aTicket(server, ann)
    const live = await server.tickets.issue({ purpose: 'live', userId: ann, signInId: ann })

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

onStoringServer('T109 the session of somebody else opens no upload socket', async (server) => {
  const { aUser, as } = server
  const [ann, bob] = [await aUser(), await aUser()]
  const open = (session: string, headers = as(ann)) => statusOf(openUploadSocket(server, ann, { session, headers }))

  const statuses = [await open(bob), await open(await aTicket(server, bob)), await open(''), await open(ann)]
  const fromElsewhere = await statusOf(
    openUploadSocket(server, ann, { session: ann, headers: as(ann), origin: 'http://evil.test' }),
  )

  expect(statuses).toEqual([403, 403, 403, 101])
  expect(fromElsewhere).toBe(403)
})

/** What an upload is refused with that differs from a good one in some fields. */
async function codeOf(server: StoringServer, file: TestFile, fields: object): Promise<string> {
  const socket = await openUploadSocket(server, await server.aUser())
  const start = { ...startOf(file), ...fields }
  socket.say(start)
  socket.send(file.sealed)
  const { code } = await socket.answer('upload-error')
  expect(await socket.closed()).toBe(1008)
  return code
}

onStoringServer(
  'FIL-07 T130 T142 T145 T146 an upload that contradicts itself is refused in words, and nothing stays',
  async (server) => {
    const file = await aFile()
    const other = await aFile()
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
    await until(() => storedObjects(server.bytesFolder).length === 0)
    const open = await server.db.selectFrom('uploads').select('id').where('cancelled_at', 'is', null).execute()
    expect(open).toEqual([])
  },
)

onStoringServer('T130 a chunk by itself takes no byte more than its own', async (server) => {
  const file = await aFile()

  const code = await codeOf(server, file, { chunkSize: recordBytes, chunkIndex: 2 })

  await until(() => storedObjects(server.bytesFolder).length === 0)
  expect(code).toBe('CHUNK_TOO_LONG')
})

onStoringServer(
  'FIL-20 T129 an upload over a socket takes its room as any other, and is refused before its bytes',
  async (server) => {
    const ann = await server.aUser()
    const file = await aFile()
    server.limits.storageBytes = file.plain.length - 1
    const socket = await openUploadSocket(server, ann)

    socket.say(startOf(file))

    expect(await socket.answer('upload-error')).toMatchObject({
      code: 'STORAGE_LIMIT',
      status: 413,
      error: 'Storage limit reached: 0 Bytes of 128.10 KB used',
    })
  },
)

onStoringServer('T201 the end of an upload that is not this socket’s is refused', async (server) => {
  const { aUser, sendChunk, call } = server
  const [ann, bob] = [await aUser(), await aUser()]
  const file = await aFile()
  const uploadId = anUploadId()
  for (const index of file.chunks.keys()) await sendChunk(ann, { file, uploadId, index })
  const signal = { type: 'upload-complete-signal', uploadId, actualEncryptedSize: file.sealed.length }

  const codes = []
  for (const user of [bob, ann]) {
    const socket = await openUploadSocket(server, user)
    socket.say(signal)
    codes.push((await socket.answer('upload-error')).code)
  }
  const own = await openUploadSocket(server, ann)
  own.say(startOf(file, uploadId))

  expect(codes).toEqual(['UPLOAD_NOT_FOUND', 'UPLOAD_NOT_FOUND'])
  // What was begun by requests is neither taken over nor lost.
  expect((await own.answer('upload-error')).code).toBe('CONFLICT')
  await own.closed()
  expect((await call(ann, 'GET', `/api/uploads/${uploadId}`)).json().received).toEqual([[0, 2]])
  expect((await call(ann, 'GET', '/api/files')).json().files).toEqual([])
})

onStoringServer('T124 FIL-07 an end that names other bytes than came is refused', async (server) => {
  const file = await aFile()
  const codes = []
  for (const [sent, said] of [
    [file.sealed.length - 1, file.sealed.length - 1],
    [file.sealed.length, file.sealed.length - 1],
    [file.sealed.length - 1, file.sealed.length],
  ] as const) {
    const start = startOf(file)
    const socket = await openUploadSocket(server, await server.aUser())
    socket.say(start)
    socket.send(file.sealed.subarray(0, sent))
    socket.say({ type: 'upload-complete-signal', uploadId: start.uploadId, actualEncryptedSize: said })
    codes.push((await socket.answer('upload-error')).code)
  }

  expect(codes).toEqual(['CHUNK_LENGTH_WRONG', 'CHUNK_LENGTH_WRONG', 'CHUNK_LENGTH_WRONG'])
})

onStoringServer(
  'T194 T196 frames that are too long or say nothing end their socket and nothing else',
  async (server) => {
    const ann = await server.aUser()
    const deep = '['.repeat(10_000)
    const nonsense = ['', '{', 'null', '[]', '7', deep, '{"type":"__proto__"}', `{"type":"${'x'.repeat(70_000)}"}`]

    const codes = []
    for (const text of nonsense) {
      const socket = await openUploadSocket(server, ann)
      socket.socket.send(text)
      codes.push((await socket.answer('upload-error')).code)
      await socket.closed()
    }
    const early = await openUploadSocket(server, ann)
    early.send(randomBytes(10))
    const long = await openUploadSocket(server, ann)
    long.socket.on('error', () => undefined)
    long.socket.send(Buffer.alloc(34 * 1024 * 1024))

    expect(codes).toEqual(nonsense.map(() => 'BAD_REQUEST'))
    expect((await early.answer('upload-error')).code).toBe('BAD_REQUEST')
    expect(await long.closed()).toBe(1009)
    expect((await server.call(ann, 'GET', '/api/files')).statusCode).toBe(200)
  },
)

onStoringServer(
  'T197 an account holds six upload sockets and no seventh, until one of them is closed',
  async (server) => {
    const ann = await server.aUser()
    const open = await Promise.all(Array.from({ length: 6 }, () => openUploadSocket(server, ann)))

    const seventh = await statusOf(openUploadSocket(server, ann))
    open[0]?.socket.close()
    await open[0]?.closed()
    await until(async () => (await statusOf(openUploadSocket(server, ann))) === 101)
    const bobs = await statusOf(openUploadSocket(server, await server.aUser()))

    expect(seventh).toBe(429)
    expect(bobs).toBe(101)
  },
)

onStoringServer(
  'T202 an upgrade that is none is answered at once, and its ticket opens nothing afterwards',
  async (server) => {
    const ann = await server.aUser()
    const port = await server.listen()
    const ticket = await aTicket(server, ann)
    const ask = (key: string): Promise<string> =>
      new Promise((resolve) => {
        const line = connect(port, '127.0.0.1')
        let answer = ''
        line.on('data', (piece) => {
          answer += piece
        })
        line.on('close', () => resolve(answer.slice(0, 12)))
        line.write(
          `GET /api/ws-upload?session=${ticket} HTTP/1.1\r\nHost: x\r\nOrigin: http://sallyport.test\r\nConnection: Upgrade\r\n` +
            `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n${key}\r\n\r\n`,
        )
      })

    const answers = [await ask('Sec-WebSocket-Key: no'), await ask(`Sec-WebSocket-Key: ${'A'.repeat(22)}==`)]

    expect(answers).toEqual(['HTTP/1.1 400', 'HTTP/1.1 401'])
  },
)
