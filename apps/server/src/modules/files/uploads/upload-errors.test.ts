import { connect } from 'node:net'
import { expect } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import {
  chunkHeaders,
  onFileServer,
  randomUploadId,
  storedObjects,
  waitUntil,
} from '../../../testing/servers/file-server.ts'

const recordBytes = 64 * 1024

/** A file with three chunks, the last of them short. */
const sealThreeChunkFile = () => sealFile({ plainBytes: 2 * recordBytes + 100 })

onFileServer('T115 an invalid or out-of-range chunk index gets 400 and nothing is stored', async (server) => {
  const { createUser, sendChunk, call, bytesFolder } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const uploadId = randomUploadId()

  const statuses = []
  for (const index of ['-1', '1.5', 'NaN', '2147483648', '9007199254740992', '0x1', '3', '']) {
    const headers = { 'x-chunk-index': index }
    statuses.push((await sendChunk(ann, { file, uploadId, index: 0, headers })).statusCode)
  }

  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400, 400])
  expect((await call(ann, 'GET', '/api/uploads')).json().uploads).toEqual([])
  expect(storedObjects(bytesFolder)).toEqual([])
})

onFileServer('T117 T118 T119 a chunk of the wrong length gets an error and nothing is stored', async (server) => {
  const { createUser, sendChunk, call, bytesFolder } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const uploadId = randomUploadId()
  const chunk = file.chunks[1] ?? Buffer.alloc(0)
  const send = (bytes: Buffer) => sendChunk(ann, { file, uploadId, index: 1, bytes })

  const longer = await send(Buffer.concat([chunk, Buffer.alloc(1)]))
  const shorter = await send(chunk.subarray(1))
  const empty = await send(Buffer.alloc(0))
  const tiny = await send(Buffer.alloc(27))

  expect([longer.statusCode, longer.json().code]).toEqual([413, 'CHUNK_TOO_LONG'])
  for (const answer of [shorter, empty, tiny]) {
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'CHUNK_LENGTH_WRONG'])
  }
  expect((await call(ann, 'GET', '/api/uploads')).json().uploads).toEqual([])
  expect(storedObjects(bytesFolder)).toEqual([])
})

onFileServer('T130 a body without a content length is stopped when it exceeds the chunk length', async (server) => {
  const { createUser, beginChunk, bytesFolder } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const { request, status } = await beginChunk(ann, { file, uploadId: randomUploadId(), index: 0 })
  request.on('error', () => undefined)

  request.write(file.chunks[0])
  request.write(Buffer.alloc(1))

  expect(await status()).toBe(413)
  await waitUntil(() => storedObjects(bytesFolder).length === 0)
  request.destroy()
})

onFileServer('a body that continues after the error response is cut off', async ({ createUser, bearerOf, listen }) => {
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const headers = { host: 'x', ...bearerOf(ann), ...chunkHeaders(file, { uploadId: randomUploadId(), index: 0 }) }
  const lines = Object.entries({ ...headers, 'transfer-encoding': 'chunked' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const socket = connect(await listen(), '127.0.0.1')
  let answer = ''
  const cut = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket
    .on('error', () => undefined)
    .on('data', (piece: Buffer) => {
      answer += piece.toString()
    })

  socket.write(['POST /api/upload-chunk HTTP/1.1', ...lines, '', ''].join('\r\n'))
  const more = setInterval(() => socket.write(`${recordBytes.toString(16)}\r\n${'x'.repeat(recordBytes)}\r\n`), 20)
  await cut
  clearInterval(more)

  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
})

onFileServer('an aborted upload leaves no data of its chunk behind', async (server) => {
  const { createUser, beginChunk, call, bytesFolder, log } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const uploadId = randomUploadId()
  const headers = { 'content-length': String(file.chunks[0]?.length) }
  const { request } = await beginChunk(ann, { file, uploadId, index: 0, headers })
  request.on('error', () => undefined)
  request.write(file.chunks[0]?.subarray(0, 1000))
  await waitUntil(() => storedObjects(bytesFolder).length === 1)

  request.destroy()
  await waitUntil(() => storedObjects(bytesFolder).length === 0)

  expect((await call(ann, 'GET', `/api/uploads/${uploadId}`)).json().received).toEqual([])
  expect(log.join('')).not.toContain('request failed')
})

onFileServer('T120 an unknown upload and another user’s upload get the same 404', async (server) => {
  const { createUser, sendChunk, complete, call } = server
  const [ann, bob] = [await createUser(), await createUser()]
  const file = await sealThreeChunkFile()
  const uploadId = randomUploadId()
  await sendChunk(ann, { file, uploadId, index: 0 })
  const attempts = (id: string) => [
    call(bob, 'GET', `/api/uploads/${id}`),
    call(bob, 'DELETE', `/api/uploads/${id}`),
    complete(bob, { file, uploadId: id }),
    call(bob, 'POST', '/api/upload-chunk', {
      headers: { ...server.bearerOf(bob), ...withoutKey(chunkHeaders(file, { uploadId: id, index: 0 })) },
      payload: file.chunks[0],
    }),
  ]

  const foreign = await Promise.all(attempts(uploadId))
  const unknown = await Promise.all(attempts(randomUploadId()))

  expect(foreign.map((answer) => answer.statusCode)).toEqual([404, 404, 404, 404])
  expect(foreign.map((answer) => answer.body)).toEqual(unknown.map((answer) => answer.body))
  expect((await call(ann, 'GET', `/api/uploads/${uploadId}`)).json().received).toEqual([[0, 0]])
})

onFileServer('T121 an invalid upload id gets 400 and never becomes a path', async (server) => {
  const { createUser, sendChunk, bytesFolder } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()

  const statuses = []
  for (const uploadId of ['../../x', '%2e%2e', 'a'.repeat(300), '..', '/etc/passwd', 'x'.repeat(21)]) {
    statuses.push((await sendChunk(ann, { file, uploadId, index: 0 })).statusCode)
  }

  expect(statuses).toEqual([400, 400, 400, 400, 400, 400])
  expect(storedObjects(bytesFolder)).toEqual([])
})

onFileServer('T121 T122 malformed HTTP requests get 400 and change nothing', async (server) => {
  const { createUser, listen, bytesFolder } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const port = await listen()
  const lines = (headers: Readonly<Record<string, string>>) =>
    Object.entries({ host: 'x', ...server.bearerOf(ann), ...headers }).map(([name, value]) => `${name}: ${value}`)
  const raw = (headers: Readonly<Record<string, string>>, body: Buffer, andThen?: 'hang up') =>
    exchange(port, ['POST /api/upload-chunk HTTP/1.1', ...lines(headers), '', ''].join('\r\n'), body, andThen)
  const headers = chunkHeaders(file, { uploadId: randomUploadId(), index: 0 })
  const chunk = file.chunks[0] ?? Buffer.alloc(0)

  const both = await raw(
    { ...headers, 'content-length': '5', 'transfer-encoding': 'chunked' },
    Buffer.from('0\r\n\r\n'),
  )
  const noNumber = await raw({ ...headers, 'content-length': '5x' }, chunk)
  const nul = await raw({ ...headers, 'x-upload-id': 'a\0b', 'content-length': '0' }, Buffer.alloc(0))
  const cutShort = await raw({ ...headers, 'content-length': String(chunk.length) }, chunk.subarray(0, 500), 'hang up')

  for (const answer of [both, noNumber, nul]) expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(cutShort).not.toContain('200 OK')
  await waitUntil(() => storedObjects(bytesFolder).length === 0)
})

onFileServer('T160 a name that tries to inject a header gets an error and changes no header', async (server) => {
  const { createUser, listen } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const port = await listen()
  const send = (name: string) => {
    const headers = {
      host: 'x',
      ...server.bearerOf(ann),
      ...chunkHeaders(file, { uploadId: randomUploadId(), index: 0 }),
    }
    const lines = Object.entries({ ...headers, 'x-file-name': name, 'content-length': '0' })
    const head = lines.map(([header, value]) => `${header}: ${value}\r\n`).join('')
    return exchange(port, `POST /api/upload-chunk HTTP/1.1\r\n${head}\r\n`, Buffer.alloc(0))
  }
  const names = [
    'ef1.a\r\nX-Injected: yes',
    'ef1.a\r\n X-Injected: folded',
    'ef1.a\nX-Injected: yes',
    'ef1.%0d%0aX-Injected:%20yes',
    `ef1.${'a'.repeat(10_000)}`,
    `ef1.${'a'.repeat(100_000)}`,
    'ef1.\u00e9\u00ff',
    'ef1.a"; filename="b.exe',
    'ef1.a\0b',
  ]

  const answers = []
  for (const name of names) answers.push(await send(name))

  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1\.1 (400|431) /)
    expect(answer).not.toMatch(/injected/i)
  }
})

onFileServer(
  'a chunk that is declared as JSON gets 415 with the type to send, and nothing is stored',
  async (server) => {
    const { createUser, sendChunk, bytesFolder } = server
    const ann = await createUser()
    const file = await sealThreeChunkFile()
    const headers = { 'content-type': 'application/json' }

    const answer = await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0, headers })

    expect([answer.statusCode, answer.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(answer.json().error).toContain('application/octet-stream')
    expect(storedObjects(bytesFolder)).toEqual([])
  },
)

onFileServer('a request with wrong fields gets 400 with their names', async ({ createUser, call, bearerOf }) => {
  const ann = await createUser()
  const headers = { ...bearerOf(ann), 'content-type': 'application/json' }
  const payload = JSON.stringify({ uploadId: randomUploadId(), totalChunks: 'three' })

  const answer = await call(ann, 'POST', '/api/complete-chunk-upload', { headers, payload })

  const { code, error, details } = answer.json()
  expect([answer.statusCode, code]).toEqual([400, 'BAD_REQUEST'])
  expect(details.fields).toContain('totalChunks')
  for (const field of details.fields.slice(0, 5)) expect(error).toContain(field)
})

onFileServer('T123 a compressed body gets 415', async ({ createUser, sendChunk }) => {
  const ann = await createUser()
  const file = await sealThreeChunkFile()

  const answers = []
  for (const encoding of ['gzip', 'br']) {
    const headers = { 'content-encoding': encoding }
    answers.push(await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0, headers }))
  }

  expect(answers.map((answer) => answer.statusCode)).toEqual([415, 415])
})

onFileServer('T020 T145 a malformed or inconsistent envelope gets 400', async (server) => {
  const { createUser, sendChunk, bytesFolder } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const altered = (offset: number, ...values: number[]) => {
    const bytes = Buffer.from(file.envelope, 'base64url')
    bytes.set(values, offset)
    return bytes.toString('base64url')
  }
  const chunkSizeAt = 2 + 24
  const countAt = 2 + 28
  const sizeAt = 2 + 32
  const envelopes = {
    short: file.envelope.slice(0, -1),
    long: `${file.envelope}AAAA`,
    huge: 'A'.repeat(9 * 1024),
    wrongMagic: altered(2, 0x58),
    wrongVersion: altered(0, 0xe2),
    wrongCount: altered(countAt, 0, 0, 0, 9),
    noChunkSize: altered(chunkSizeAt, 0, 0, 0, 0),
    sizeBeyondNumbers: altered(sizeAt, 0xff, 0xff, 0xff, 0xff),
    padded: `${file.envelope.slice(0, -2)}==`,
  }

  const answers = []
  for (const envelope of Object.values(envelopes)) {
    const headers = { 'x-encrypted-file-key': envelope }
    answers.push(await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0, headers }))
  }

  expect(answers.map((answer) => answer.statusCode)).toEqual(Array(9).fill(400))
  expect(storedObjects(bytesFolder)).toEqual([])
})

onFileServer('a key with a wrap type other than account gets ENVELOPE_KIND', async ({ createUser, sendChunk }) => {
  const ann = await createUser()
  const file = await sealThreeChunkFile()

  const answers = []
  for (const wrapType of ['share', 'session', 'portal'] as const) {
    const headers = { 'x-encrypted-file-key': await file.wrap(wrapType, file.rootKey) }
    answers.push(await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0, headers }))
  }

  expect(answers.map((answer) => answer.json().code)).toEqual(Array(3).fill('ENVELOPE_KIND'))
})

onFileServer(
  'T146 a name that is not encrypted gets SEALED_NAME_REQUIRED',
  async ({ createUser, sendChunk, complete, call }) => {
    const ann = await createUser()
    const file = await sealThreeChunkFile()
    const uploadId = randomUploadId()
    for (const index of file.chunks.keys()) await sendChunk(ann, { file, uploadId, index })

    const chunk = await sendChunk(ann, {
      file,
      uploadId: randomUploadId(),
      index: 0,
      headers: { 'x-file-name': 'report.pdf' },
    })
    const completion = await complete(ann, { file, uploadId, summary: { fileName: 'report.pdf' } })
    const whole = await call(ann, 'POST', '/api/upload', {
      headers: { ...bytesHeaders(ann), 'x-file-name': 'report.pdf', 'x-encrypted-file-key': file.envelope },
      payload: file.sealed,
    })

    for (const answer of [chunk, completion, whole]) expect(answer.json().code).toBe('SEALED_NAME_REQUIRED')
  },
)

onFileServer('a chunk of another file gets UPLOAD_MISMATCH', async ({ createUser, sendChunk, complete }) => {
  const ann = await createUser()
  const [file, other] = [await sealThreeChunkFile(), await sealThreeChunkFile()]
  const uploadId = randomUploadId()
  await sendChunk(ann, { file, uploadId, index: 0 })

  const otherName = await sendChunk(ann, { file, uploadId, index: 1, headers: { 'x-file-name': other.name } })
  const otherKey = await sendChunk(ann, {
    file,
    uploadId,
    index: 1,
    headers: { 'x-encrypted-file-key': other.envelope },
  })
  const otherSize = await sendChunk(ann, {
    file,
    uploadId,
    index: 1,
    headers: { 'x-chunk-size': String(2 * recordBytes) },
  })
  const otherSummary = await complete(ann, { file, uploadId, summary: { totalChunks: 2 } })

  for (const answer of [otherName, otherKey, otherSize, otherSummary]) {
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'UPLOAD_MISMATCH'])
  }
})

onFileServer('a chunk size that is not a multiple of the record size gets 400', async ({ createUser, sendChunk }) => {
  const ann = await createUser()
  const file = await sealThreeChunkFile()

  const statuses = []
  for (const size of [0, recordBytes / 2, recordBytes + 1, 64 * 1024 * 1024]) {
    const headers = { 'x-chunk-size': String(size) }
    statuses.push((await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0, headers })).statusCode)
  }

  expect(statuses).toEqual([400, 400, 400, 400])
})

onFileServer('a single-request upload that fails or is aborted reserves no storage', async (server) => {
  const { createUser, call, listen, bytesFolder, db } = server
  const ann = await createUser()
  const file = await sealThreeChunkFile()
  const headers = { ...bytesHeaders(ann), 'x-file-name': file.name, 'x-encrypted-file-key': file.envelope }
  await listen()

  const short = await call(ann, 'POST', '/api/upload', { headers, payload: file.sealed.subarray(1) })
  const socket = connect(await listen(), '127.0.0.1')
  const lines = Object.entries({ host: 'x', ...headers, 'content-length': String(file.sealed.length) })
  socket.write(`POST /api/upload HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  socket.write(file.sealed.subarray(0, 1000))
  await waitUntil(() => storedObjects(bytesFolder).length === 1)
  socket.destroy()
  await waitUntil(() => storedObjects(bytesFolder).length === 0)

  expect(short.json().code).toBe('CHUNK_LENGTH_WRONG')
  await waitUntil(async () => (await call(ann, 'GET', '/api/uploads')).json().uploads.length === 0)
  const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', ann).executeTakeFirstOrThrow()
  expect([use.used_bytes, use.reserved_bytes]).toEqual([0, 0])
})

const bytesHeaders = (userId: string) => ({
  authorization: `Bearer ${userId}`,
  'content-type': 'application/octet-stream',
})

/** Sends raw bytes and resolves to the response once the server closes the connection or is silent for 500 ms. */
function exchange(port: number, head: string, body: Buffer, andThen?: 'hang up'): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer: Uint8Array[] = []
    socket.on('data', (piece: Buffer) => {
      answer.push(piece)
      socket.setTimeout(500, () => socket.destroy())
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(answer).toString('latin1')))
    socket.write(head, 'latin1')
    socket.write(body)
    if (andThen === 'hang up') socket.end()
  })
}

const withoutKey = ({ 'x-encrypted-file-key': _, ...headers }: Record<string, string>) => headers
