import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '../errors.ts'
import { digestOf } from '../testing/file-server.ts'
import { fileOf, patternBytes } from '../testing/files.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { chunkIndex, failureOf, onChunk, settle, startUploads } from '../testing/uploads.ts'
import { createSealLane } from './seal-lane.ts'
import { sendByFetch } from './send-by-fetch.ts'
import { startUpload } from './upload.ts'

afterEach(() => vi.restoreAllMocks())

const megabyte = 1024 * 1024

test('T027 FIL-05 a chunk that fails is sent again after 1, 2 and 4 seconds with the same sealed bytes', async () => {
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

test('FIL-09 FIL-05 after the fourth attempt the chunk is given up by its number', async () => {
  const { server, begin, chunkRequests } = startUploads({
    fault: onChunk((seen) => (chunkIndex(seen) === 1 ? 'cut' : undefined)),
  })

  const error = await failureOf(begin(fileOf(patternBytes(9 * megabyte))))

  expect(error.message).toBe('Chunk 1 failed after 3 attempts')
  expect((error.cause as Error).message).toBe('Network error during upload')
  expect(chunkRequests().filter((seen) => chunkIndex(seen) === 1)).toHaveLength(4)
  expect(server.stored.size).toBe(0)
})

test('FIL-09 a small file that cannot be sent fails with the network in its words', async () => {
  const { begin, server } = startUploads({ fault: ({ path }) => (path === '/api/upload' ? 'cut' : undefined) })

  const error = await failureOf(begin(fileOf(patternBytes(10))))

  expect(error.message).toBe('Network error during upload')
  expect(server.seen.filter(({ path }) => path === '/api/upload')).toHaveLength(4)
})

test('a small file whose answer was lost is not stored twice', async () => {
  const { begin, server } = startUploads({
    fault: ({ path }, count) => (path === '/api/upload' && count === 1 ? 'lost' : undefined),
  })

  const end = await begin(fileOf(patternBytes(10))).finished

  expect([...server.stored.keys()]).toEqual([end.status === 'done' && end.fileId])
})

test('FIL-09 FIL-05 a chunk that takes 300 seconds is a timeout', async () => {
  const { begin, clock, chunkRequests } = startUploads({
    passUpTo: 10_000,
    fault: onChunk((seen) => (chunkIndex(seen) === 0 ? 'hang' : undefined)),
  })
  const upload = begin(fileOf(patternBytes(9 * megabyte)))

  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await settle(() => chunkRequests().filter((seen) => chunkIndex(seen) === 0).length === attempt)
    await clock.leap(300_000)
  }

  const error = await failureOf(upload)
  expect(error.message).toBe('Chunk 0 failed after 3 attempts')
  expect((error.cause as Error).message).toBe('Timeout during chunk 0 upload')
})

test('FIL-09 an answer without the server’s own words is told by its status', async () => {
  const { begin } = startUploads({ fault: onChunk(() => new Response('<html>', { status: 418 })) })

  expect((await failureOf(begin(fileOf(patternBytes(6 * megabyte))))).message).toBe('Upload failed: 418')
})

test('FIL-09 an answer that is none of the contract’s is called invalid', async () => {
  const { begin } = startUploads({ fault: onChunk(() => Response.json({ success: 'yes' })) })

  expect((await failureOf(begin(fileOf(patternBytes(6 * megabyte))))).message).toBe('Invalid response from server')
})

test('FIL-20 a refusal that no waiting changes is told at once in the server’s words', async () => {
  const full = { success: false, code: 'STORAGE_LIMIT', error: 'Storage limit reached: 1.00 GB of 1.00 GB used' }
  const { begin, clock, chunkRequests } = startUploads({ fault: onChunk(() => Response.json(full, { status: 413 })) })

  const error = await failureOf(begin(fileOf(patternBytes(6 * megabyte))))

  expect(error).toBeInstanceOf(ApiError)
  expect(error.message).toBe(full.error)
  expect(chunkRequests()).toHaveLength(1)
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([])
})

test('a server that asks for patience gets it', async () => {
  const busy = () => new Response('{}', { status: 503, headers: { 'Retry-After': '17' } })
  const { begin, clock } = startUploads({ fault: onChunk((_, count) => (count === 1 ? busy() : undefined)) })

  const end = await begin(fileOf(patternBytes(6 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(clock.waits).toContain(17_000)
})

test('a bearer token that ran out is renewed once and nothing is waited for', async () => {
  const asked: (string | undefined)[] = []
  const { begin, clock, chunkRequests } = startUploads({
    accessToken: async (turnedDown) => {
      asked.push(turnedDown)
      return turnedDown === 'stale' || asked.includes('stale') ? 'token' : 'stale'
    },
  })

  const end = await begin(fileOf(patternBytes(6 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(asked).toContain('stale')
  const bearers = chunkRequests().map(({ headers }) => headers.get('authorization'))
  expect(bearers).toEqual(['Bearer stale', 'Bearer token'])
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([])
})

test('a sign-in that is over ends the upload in the server’s words', async () => {
  const { begin, chunkRequests } = startUploads({ accessToken: async () => 'revoked' })

  const error = await failureOf(begin(fileOf(patternBytes(6 * megabyte))))

  expect(error.message).toBe('Your session has expired. Please log in again.')
  expect(chunkRequests()).toHaveLength(1)
})

test('T026 a file that grew or was saved again meanwhile is not listed', async () => {
  const file = fileOf(patternBytes(6 * megabyte))
  const { begin, server } = startUploads({
    fault: onChunk(() => {
      file.lastModified += 1
      return undefined
    }),
  })

  const error = await failureOf(begin(file))

  expect(error.name).toBe('FileChangedError')
  expect(server.stored.size).toBe(0)
  expect(server.uploads.size).toBe(0)
})

test('T026 a file that became shorter is noticed before its chunk is sent', async () => {
  const { begin, chunkRequests } = startUploads()
  const whole = fileOf(patternBytes(6 * megabyte))
  const shorter = { ...whole, slice: (start: number, end: number) => whole.slice(start, end - 1) }

  const error = await failureOf(begin(shorter))

  expect(error.name).toBe('FileChangedError')
  expect(chunkRequests()).toEqual([])
})

test('T025 nothing is sent from a device whose random generator repeats itself', async () => {
  const { begin, server } = startUploads()
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => array)

  const error = await failureOf(begin(fileOf(patternBytes(10))))

  expect(error.message).toMatch(/random generator/)
  expect(server.seen).toEqual([])
})

test('FIL-09 a gap is told in the server’s words', async () => {
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

  expect(error.message).toBe(gap.error)
  expect(server.seen.filter(({ path }) => path === '/api/complete-chunk-upload')).toHaveLength(1)
  expect(server.stored.size).toBe(0)
})

test('FIL-05 finishing is asked for three times, 1 and 2 seconds apart', async () => {
  const { begin, clock, server } = startUploads({
    fault: ({ path }) => (path === '/api/complete-chunk-upload' ? 'cut' : undefined),
  })

  const error = await failureOf(begin(fileOf(patternBytes(6 * megabyte))))

  expect(error.message).toBe('Network error during upload')
  expect(server.seen.filter(({ path }) => path === '/api/complete-chunk-upload')).toHaveLength(3)
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([1000, 2000])
})

test('FIL-05 finishing that has not been answered after 60 seconds is asked for again', async () => {
  const { begin, clock, server } = startUploads({
    fault: ({ path }, count) => (path === '/api/complete-chunk-upload' && count === 1 ? 'hang' : undefined),
  })
  const upload = begin(fileOf(patternBytes(6 * megabyte)))
  await settle(() => server.seen.some(({ path }) => path === '/api/complete-chunk-upload'))

  await clock.leap(59_999)
  const early = upload.current().status
  await clock.leap(1)

  expect(early).toBe('sending')
  expect((await upload.finished).status).toBe('done')
})

test('an account key that cannot be had fails the upload before anything is sent', async () => {
  const { server } = startUploads()
  const fetch = server.fetch as typeof globalThis.fetch

  const upload = startUpload({
    file: fileOf(patternBytes(10)),
    accountKey: Promise.reject(new Error('No master key found - please log in again')),
    connection: { baseUrl: '', accessToken: async () => 'token', fetch },
    openLane: (source) => createSealLane(source, { send: sendByFetch({ fetch, clock: createManualClock() }) }),
  })

  expect((await failureOf(upload)).message).toBe('No master key found - please log in again')
  expect(server.seen).toEqual([])
})
