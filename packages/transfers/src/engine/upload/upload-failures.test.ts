import { ApiError, NetworkError } from '@sallyport/client/errors'
import { digestOf } from '@sallyport/client/testing/file-server'
import { patternBytes } from '@sallyport/client/testing/files'
import { createManualClock } from '@sallyport/client/testing/manual-clock'
import { until } from '@sallyport/client/testing/until'
import { afterEach, expect, test, vi } from 'vitest'
import { sendByFetch } from '../../node/send-by-fetch.ts'
import { fileOf } from '../../testing/files.ts'
import { chunkIndex, failureOf, onChunk, startUploads } from '../../testing/uploads.ts'
import { createEncryptWorker } from './encrypt-worker.ts'
import { startUpload } from './upload.ts'

afterEach(() => vi.restoreAllMocks())

const megabyte = 1024 * 1024
const completionPath = '/api/complete-chunk-upload'
const html = { 'content-type': 'text/html' }
const proxyPages = [
  () => new Response('<html>Sign in to the network</html>', { headers: html }),
  () => new Response('<html>Blocked</html>', { status: 403, headers: html }),
]

test('T027 FIL-05 a failed chunk is sent again after 1, 2 and 4 seconds with the same sealed bytes', async () => {
  const bodies: string[] = []
  const { begin, clock } = startUploads({
    fault: onChunk((seen) => {
      if (chunkIndex(seen) !== 1) return undefined
      return bodies.push(digestOf(seen.body)) < 4 ? 'cut' : undefined
    }),
  })

  const end = await begin(fileOf(patternBytes(9 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([1000, 2000, 4000])
  expect(bodies).toHaveLength(4)
  expect(new Set(bodies).size).toBe(1)
})

test('FIL-09 FIL-05 after the fourth attempt the upload fails with the index of the chunk', async () => {
  const { server, begin, chunkRequests } = startUploads({
    fault: onChunk((seen) => (chunkIndex(seen) === 1 ? 'cut' : undefined)),
  })

  const error = await failureOf(begin(fileOf(patternBytes(9 * megabyte))))

  expect(error).toMatchObject({ code: 'UPLOAD_CHUNK_FAILED', index: 1 })
  expect(error.cause).toBeInstanceOf(NetworkError)
  expect(chunkRequests().filter((seen) => chunkIndex(seen) === 1)).toHaveLength(4)
  expect(server.stored.size).toBe(0)
})

test('FIL-09 a small file that cannot be sent fails with the network error of the specification', async () => {
  const { begin, server } = startUploads({ fault: ({ path }) => (path === '/api/upload' ? 'cut' : undefined) })

  const error = await failureOf(begin(fileOf(patternBytes(10))))

  expect(error).toBeInstanceOf(NetworkError)
  expect(server.requests.filter(({ path }) => path === '/api/upload')).toHaveLength(4)
})

test('a small file whose response was lost is not stored twice', async () => {
  const { begin, server } = startUploads({
    fault: ({ path }, count) => (path === '/api/upload' && count === 1 ? 'lost' : undefined),
  })

  const end = await begin(fileOf(patternBytes(10))).finished

  expect([...server.stored.keys()]).toEqual([end.status === 'done' && end.fileId])
})

test('FIL-09 FIL-05 a chunk that takes 300 seconds times out', async () => {
  const { begin, clock, chunkRequests } = startUploads({
    skipUpTo: 10_000,
    fault: onChunk((seen) => (chunkIndex(seen) === 0 ? 'hang' : undefined)),
  })
  const upload = begin(fileOf(patternBytes(9 * megabyte)))

  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await until(
      () => chunkRequests().filter((seen) => chunkIndex(seen) === 0).length === attempt,
      `attempt ${attempt} of the first chunk was sent`,
    )
    await clock.advanceInOneStep(300_000)
  }

  const error = await failureOf(upload)
  expect(error).toMatchObject({ code: 'UPLOAD_CHUNK_FAILED', index: 0 })
  expect(error.cause).toMatchObject({ code: 'UPLOAD_CHUNK_TIMEOUT', index: 0 })
})

test('FIL-09 an error response without a message of the server is reported by its status', async () => {
  const { begin } = startUploads({ fault: onChunk(() => new Response('<html>', { status: 418 })) })

  expect(await failureOf(begin(fileOf(patternBytes(6 * megabyte))))).toMatchObject({ status: 418, code: null })
})

test('FIL-09 a response that does not match the contract is reported as invalid', async () => {
  const { begin } = startUploads({ fault: onChunk(() => Response.json({ success: 'yes' })) })

  expect(await failureOf(begin(fileOf(patternBytes(6 * megabyte))))).toMatchObject({ status: 200, code: null })
})

test('FIL-20 a permanent error is not retried and keeps the server’s message', async () => {
  const full = { success: false, code: 'STORAGE_LIMIT', error: 'Storage limit reached: 1.00 GB of 1.00 GB used' }
  const { begin, clock, chunkRequests } = startUploads({ fault: onChunk(() => Response.json(full, { status: 413 })) })

  const error = await failureOf(begin(fileOf(patternBytes(6 * megabyte))))

  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ serverMessage: full.error })
  expect(chunkRequests()).toHaveLength(1)
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([])
})

test('Retry-After is honoured', async () => {
  const busy = () => new Response('{}', { status: 503, headers: { 'Retry-After': '17' } })
  const { begin, clock } = startUploads({ fault: onChunk((_, count) => (count === 1 ? busy() : undefined)) })

  const end = await begin(fileOf(patternBytes(6 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(clock.waits).toContain(17_000)
})

test('an expired bearer token is renewed once without a delay', async () => {
  const rejectedTokens: (string | undefined)[] = []
  const { begin, clock, chunkRequests } = startUploads({
    getAccessToken: async (rejectedToken) => {
      rejectedTokens.push(rejectedToken)
      return rejectedToken === 'stale' || rejectedTokens.includes('stale') ? 'token' : 'stale'
    },
  })

  const end = await begin(fileOf(patternBytes(6 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(rejectedTokens).toContain('stale')
  const authorizations = chunkRequests().map(({ headers }) => headers.get('authorization'))
  expect(authorizations).toEqual(['Bearer stale', 'Bearer token'])
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([])
})

test('an expired auth session fails the upload with the server’s message', async () => {
  const { begin, chunkRequests } = startUploads({ getAccessToken: async () => 'revoked' })

  const error = await failureOf(begin(fileOf(patternBytes(6 * megabyte))))

  expect(error).toMatchObject({ serverMessage: 'Your session has expired. Please log in again.' })
  expect(chunkRequests()).toHaveLength(1)
})

test('T026 a file that changed during the upload is not stored', async () => {
  const file = fileOf(patternBytes(6 * megabyte))
  const { begin, server } = startUploads({
    fault: onChunk(() => {
      file.lastModified += 1
      return undefined
    }),
  })

  const error = await failureOf(begin(file))

  expect(error).toMatchObject({ code: 'FILE_CHANGED' })
  expect(server.stored.size).toBe(0)
  expect(server.uploads.size).toBe(0)
})

test('T026 a truncated file is detected before its chunk is sent', async () => {
  const { begin, chunkRequests } = startUploads()
  const whole = fileOf(patternBytes(6 * megabyte))
  const shorter = { ...whole, slice: (start: number, end: number) => whole.slice(start, end - 1) }

  const error = await failureOf(begin(shorter))

  expect(error).toMatchObject({ code: 'FILE_CHANGED' })
  expect(chunkRequests()).toEqual([])
})

test('T025 a device whose random generator repeats itself sends nothing', async () => {
  const { begin, server } = startUploads()
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => array)

  const error = await failureOf(begin(fileOf(patternBytes(10))))

  expect(error.message).toMatch(/random generator/)
  expect(server.requests).toEqual([])
})

test('FIL-09 missing chunks are reported with the server’s message', async () => {
  const gap = {
    success: false,
    code: 'UPLOAD_INCOMPLETE',
    error: 'Upload integrity check failed: Missing chunks [0]',
    details: { missing: [0] },
  }
  const { begin, server } = startUploads({
    fault: ({ path }) => (path === '/api/complete-chunk-upload' ? Response.json(gap, { status: 400 }) : undefined),
  })

  const error = await failureOf(begin(fileOf(patternBytes(6 * megabyte))))

  expect(error).toMatchObject({ serverMessage: gap.error })
  expect(server.requests.filter(({ path }) => path === '/api/complete-chunk-upload')).toHaveLength(1)
  expect(server.stored.size).toBe(0)
})

test('FIL-05 completion is attempted 3 times, 1 and 2 seconds apart', async () => {
  const { begin, clock, server } = startUploads({
    fault: ({ path }) => (path === '/api/complete-chunk-upload' ? 'cut' : undefined),
  })

  const error = await failureOf(begin(fileOf(patternBytes(6 * megabyte))))

  expect(error).toBeInstanceOf(NetworkError)
  expect(server.requests.filter(({ path }) => path === '/api/complete-chunk-upload')).toHaveLength(3)
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([1000, 2000])
})

test('FIL-05 a completion that a proxy answers with a page of its own is repeated', async () => {
  const { begin, chunkRequests, server } = startUploads({
    fault: ({ path }, count) => (path === completionPath && count <= 2 ? proxyPages[count - 1]?.() : undefined),
  })

  const end = await begin(fileOf(patternBytes(6 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(server.requests.filter(({ path }) => path === completionPath)).toHaveLength(3)
  expect(chunkRequests()).toHaveLength(1)
})

test('FIL-05 an upload whose completion only a proxy answers keeps its chunks and can be resumed', async () => {
  for (const page of proxyPages) {
    const { begin, server } = startUploads({ fault: ({ path }) => (path === completionPath ? page() : undefined) })
    const upload = begin(fileOf(patternBytes(6 * megabyte)))

    const error = await failureOf(upload)

    expect(error).toMatchObject({ code: null })
    expect(upload.resumption()).not.toBeNull()
    expect(server.requests.filter(({ method }) => method === 'DELETE')).toEqual([])
    expect([...server.uploads.values()].map(({ chunks }) => chunks.size)).toEqual([1])
  }
})

test('FIL-05 completion without a response after 60 seconds is retried', async () => {
  const { begin, clock, server } = startUploads({
    fault: ({ path }, count) => (path === '/api/complete-chunk-upload' && count === 1 ? 'hang' : undefined),
  })
  const upload = begin(fileOf(patternBytes(6 * megabyte)))
  await until(
    () => server.requests.some(({ path }) => path === '/api/complete-chunk-upload'),
    'the completion was requested',
  )

  await clock.advanceInOneStep(59_999)
  const early = upload.current().status
  await clock.advanceInOneStep(1)

  expect(early).toBe('sending')
  expect((await upload.finished).status).toBe('done')
})

test('an unavailable root key fails the upload before anything is sent', async () => {
  const { server } = startUploads()
  const fetch = server.fetch as typeof globalThis.fetch

  const upload = startUpload({
    file: fileOf(patternBytes(10)),
    rootKey: Promise.reject(new Error('No master key found - please log in again')),
    connection: { baseUrl: '', getAccessToken: async () => 'token', fetch },
    createWorker: (source) => createEncryptWorker(source, { send: sendByFetch({ fetch, clock: createManualClock() }) }),
  })

  expect((await failureOf(upload)).message).toBe('No master key found - please log in again')
  expect(server.requests).toEqual([])
})
