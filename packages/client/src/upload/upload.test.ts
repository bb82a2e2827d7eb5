import { afterEach, expect, test, vi } from 'vitest'
import type { AccessToken } from '../call.ts'
import { ApiError } from '../errors.ts'
import { createFileServer, digestOf, type Fault } from '../testing/file-server.ts'
import { accountKey, fileOf, openStored, patternBytes } from '../testing/files.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import type { FileSource } from './file-source.ts'
import { createSealLane } from './seal-lane.ts'
import { sendByFetch } from './send-by-fetch.ts'
import { startUpload, type Upload } from './upload.ts'

const megabyte = 1024 * 1024
const chunkPath = '/api/upload-chunk'

interface Setting {
  readonly fault?: Fault
  readonly accessToken?: AccessToken
  /** The longest wait that passes by itself; timeouts are longer. */
  readonly passUpTo?: number
  /** In place of what the lanes say by themselves. */
  readonly leavesCopies?: () => boolean
}

function startParts(setting: Setting = {}) {
  const { fault, accessToken = async () => 'token', passUpTo = 60_000, leavesCopies } = setting
  const clock = createManualClock({ passUpTo: passUpTo - 1 })
  const server = createFileServer(fault)
  const fetch = server.fetch as typeof globalThis.fetch
  const connection = { baseUrl: 'http://server.test', accessToken, fetch, clock }
  const lanes = { opened: 0, closed: 0 }
  const begin = (file: FileSource, choice: { expirationMinutes?: number } = {}): Upload =>
    startUpload({
      file,
      accountKey,
      connection,
      ...choice,
      openLane(source) {
        lanes.opened += 1
        const lane = createSealLane(source, { send: sendByFetch({ fetch, clock }) })
        return {
          ...lane,
          ...(leavesCopies && { leavesCopies }),
          close() {
            lanes.closed += 1
            lane.close()
          },
        }
      },
    })
  return { clock, server, begin, lanes }
}

const onChunk =
  (trouble: Fault): Fault =>
  (seen, count) =>
    seen.path === chunkPath ? trouble(seen, count) : undefined

const chunkIndex = ({ headers }: { headers: Headers }) => Number(headers.get('x-chunk-index'))

async function failureOf(upload: Upload): Promise<Error> {
  const end = await upload.finished
  if (end.status !== 'failed') throw new Error(`The upload ended as ${end.status}`)
  return end.error
}

afterEach(() => vi.restoreAllMocks())

test('FIL-04 a small file goes up in one request and opens to the same bytes and name', async () => {
  const { server, begin } = startParts()
  const bytes = patternBytes(700_001)

  const end = await begin(fileOf(bytes)).finished

  expect(server.seen.map(({ path }) => path)).toEqual(['/api/upload'])
  const [file] = [...server.stored.values()]
  expect(end).toEqual({ status: 'done', fileId: file?.id })
  const opened = await openStored(file as never)
  expect(opened).toMatchObject({ name: 'holiday.txt', mimeType: 'text/plain', lastModified: 1_700_000_000_000 })
  expect(digestOf(opened.bytes)).toBe(digestOf(bytes))
})

test('FIL-04 a file of 20 MB goes up in chunks of 8 MB and opens to the same bytes', async () => {
  const { server, begin, lanes } = startParts()
  const bytes = patternBytes(20 * megabyte + 5)

  const end = await begin(fileOf(bytes)).finished

  expect(end.status).toBe('done')
  const chunks = server.seen.filter(({ path }) => path === chunkPath)
  expect(chunks.map(chunkIndex).sort()).toEqual([0, 1, 2])
  expect(chunks.map(({ headers }) => headers.get('x-chunk-size'))).toEqual(Array(3).fill(String(8 * megabyte)))
  const [file] = [...server.stored.values()]
  expect(digestOf((await openStored(file as never)).bytes)).toBe(digestOf(bytes))
  expect(lanes.closed).toBe(lanes.opened)
})

test('FIL-04 never more than three requests are under way', async () => {
  let underWay = 0
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const { begin } = startParts({
    fault: onChunk(() => {
      underWay += 1
      return gate
    }),
  })
  const upload = begin(fileOf(patternBytes(49 * megabyte)))
  await settle(() => underWay === 3)
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))

  const atOnce = underWay
  release()

  expect(atOnce).toBe(3)
  expect((await upload.finished).status).toBe('done')
  expect(underWay).toBe(7)
})

test('FIL-04 no lane that leaves copies in memory carries more than 64 MB', async () => {
  const { begin, lanes } = startParts()

  const end = await begin(fileOf(patternBytes(150 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(lanes.opened).toBeGreaterThanOrEqual(3)
  expect(lanes.closed).toBe(lanes.opened)
})

test('FIL-04 lanes that leave no copies carry a file to its end', async () => {
  const { begin, lanes } = startParts({ leavesCopies: () => false })

  const end = await begin(fileOf(patternBytes(150 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(lanes).toEqual({ opened: 2, closed: 2 })
})

test('T028 an empty file goes up as its 28 sealed bytes', async () => {
  const { server, begin } = startParts()

  const end = await begin(fileOf(new Uint8Array(0), 'empty')).finished

  expect(end.status).toBe('done')
  const [file] = [...server.stored.values()]
  expect(file?.bytes.length).toBe(28)
  expect((await openStored(file as never)).bytes.length).toBe(0)
})

test('a chosen lifetime travels with every request that may open the file', async () => {
  const { server, begin } = startParts()

  await begin(fileOf(patternBytes(9 * megabyte)), { expirationMinutes: 30 }).finished

  const chunks = server.seen.filter(({ path }) => path === chunkPath)
  expect(chunks.map(({ headers }) => headers.get('x-file-expiration-minutes'))).toEqual(['30', '30'])
  const last = server.seen.at(-1)
  expect(JSON.parse(new TextDecoder().decode(last?.body))).toMatchObject({ fileExpirationMinutes: 30, totalChunks: 2 })
})

test('T027 FIL-05 a chunk that fails is sent again after 1, 2 and 4 seconds with the same sealed bytes', async () => {
  const bodies: string[] = []
  const { begin, clock } = startParts({
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
  const { server, begin } = startParts({ fault: onChunk((seen) => (chunkIndex(seen) === 1 ? 'cut' : undefined)) })

  const error = await failureOf(begin(fileOf(patternBytes(9 * megabyte))))

  expect(error.message).toBe('Chunk 1 failed after 3 attempts')
  expect((error.cause as Error).message).toBe('Network error during upload')
  expect(server.seen.filter((seen) => seen.path === chunkPath && chunkIndex(seen) === 1)).toHaveLength(4)
  expect(server.stored.size).toBe(0)
})

test('FIL-09 a small file that cannot be sent fails with the network in its words', async () => {
  const { begin, server } = startParts({ fault: ({ path }) => (path === '/api/upload' ? 'cut' : undefined) })

  const error = await failureOf(begin(fileOf(patternBytes(10))))

  expect(error.message).toBe('Network error during upload')
  expect(server.seen.filter(({ path }) => path === '/api/upload')).toHaveLength(4)
})

test('a small file whose answer was lost is not stored twice', async () => {
  const { begin, server } = startParts({
    fault: ({ path }, count) => (path === '/api/upload' && count === 1 ? 'lost' : undefined),
  })

  const end = await begin(fileOf(patternBytes(10))).finished

  expect([...server.stored.keys()]).toEqual([end.status === 'done' && end.fileId])
})

test('FIL-09 FIL-05 a chunk that takes 300 seconds is a timeout', async () => {
  const { begin, clock, server } = startParts({
    passUpTo: 10_000,
    fault: onChunk((seen) => (chunkIndex(seen) === 0 ? 'hang' : undefined)),
  })
  const upload = begin(fileOf(patternBytes(9 * megabyte)))

  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await settle(
      () => server.seen.filter((seen) => seen.path === chunkPath && chunkIndex(seen) === 0).length === attempt,
    )
    await clock.leap(300_000)
  }

  const error = await failureOf(upload)
  expect(error.message).toBe('Chunk 0 failed after 3 attempts')
  expect((error.cause as Error).message).toBe('Timeout during chunk 0 upload')
})

test('FIL-09 an answer without the server’s own words is told by its status', async () => {
  const { begin } = startParts({ fault: onChunk(() => new Response('<html>', { status: 418 })) })

  expect((await failureOf(begin(fileOf(patternBytes(6 * megabyte))))).message).toBe('Upload failed: 418')
})

test('FIL-09 an answer that is none of the contract’s is called invalid', async () => {
  const { begin } = startParts({ fault: onChunk(() => Response.json({ success: 'yes' })) })

  expect((await failureOf(begin(fileOf(patternBytes(6 * megabyte))))).message).toBe('Invalid response from server')
})

test('FIL-20 a refusal that no waiting changes is told at once in the server’s words', async () => {
  const full = { success: false, code: 'STORAGE_LIMIT', error: 'Storage limit reached: 1.00 GB of 1.00 GB used' }
  const { begin, server, clock } = startParts({ fault: onChunk(() => Response.json(full, { status: 413 })) })

  const error = await failureOf(begin(fileOf(patternBytes(6 * megabyte))))

  expect(error).toBeInstanceOf(ApiError)
  expect(error.message).toBe(full.error)
  expect(server.seen.filter(({ path }) => path === chunkPath)).toHaveLength(1)
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([])
})

test('a server that asks for patience gets it', async () => {
  const busy = () => new Response('{}', { status: 503, headers: { 'Retry-After': '17' } })
  const { begin, clock } = startParts({ fault: onChunk((_, count) => (count === 1 ? busy() : undefined)) })

  const end = await begin(fileOf(patternBytes(6 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(clock.waits).toContain(17_000)
})

test('a bearer token that ran out is renewed once and nothing is waited for', async () => {
  const asked: (string | undefined)[] = []
  const { begin, server, clock } = startParts({
    accessToken: async (turnedDown) => {
      asked.push(turnedDown)
      return turnedDown === 'stale' || asked.includes('stale') ? 'token' : 'stale'
    },
  })

  const end = await begin(fileOf(patternBytes(6 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(asked).toContain('stale')
  const bearers = server.seen
    .filter(({ path }) => path === chunkPath)
    .map(({ headers }) => headers.get('authorization'))
  expect(bearers).toEqual(['Bearer stale', 'Bearer token'])
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([])
})

test('a sign-in that is over ends the upload in the server’s words', async () => {
  const { begin, server } = startParts({ accessToken: async () => 'revoked' })

  const error = await failureOf(begin(fileOf(patternBytes(6 * megabyte))))

  expect(error.message).toBe('Your session has expired. Please log in again.')
  expect(server.seen.filter(({ path }) => path === chunkPath)).toHaveLength(1)
})

test('FIL-08 a cancel half way stops every request and takes the upload back', async () => {
  const { begin, server } = startParts({ fault: onChunk((seen) => (chunkIndex(seen) >= 2 ? 'hang' : undefined)) })
  const upload = begin(fileOf(patternBytes(40 * megabyte)))
  await settle(() => server.uploads.size === 1 && server.seen.filter(({ path }) => path === chunkPath).length === 5)

  upload.cancel()

  expect(upload.current()).toEqual({ status: 'cancelled' })
  expect(await upload.finished).toEqual({ status: 'cancelled' })
  const hanging = server.seen.filter((seen) => seen.path === chunkPath && chunkIndex(seen) >= 2)
  expect(hanging.map(({ signal }) => signal?.aborted)).toEqual([true, true, true])
  expect(server.uploads.size).toBe(0)
  expect(server.stored.size).toBe(0)
})

test('FIL-08 a cancel while the upload is being finished removes the file it had become', async () => {
  const { begin, server } = startParts({
    passUpTo: 10_000,
    fault: ({ path }, count) => (path === '/api/complete-chunk-upload' && count === 1 ? 'stuck' : undefined),
  })
  const upload = begin(fileOf(patternBytes(6 * megabyte)))
  await settle(() => server.stored.size === 1)

  upload.cancel()

  expect(await upload.finished).toEqual({ status: 'cancelled' })
  expect(server.stored.size).toBe(0)
})

test('FIL-08 a small file that had arrived when it was cancelled is removed again', async () => {
  const { begin, server } = startParts({
    passUpTo: 10_000,
    fault: ({ path }) => (path === '/api/upload' ? 'stuck' : undefined),
  })
  const upload = begin(fileOf(patternBytes(10)))
  await settle(() => server.stored.size === 1)

  upload.cancel()
  await upload.finished

  expect(server.stored.size).toBe(0)
})

test('FIL-08 cancelling what has ended changes nothing', async () => {
  const { begin, server } = startParts()
  const upload = begin(fileOf(patternBytes(10)))
  await upload.finished

  upload.cancel()

  expect(upload.current().status).toBe('done')
  expect(server.stored.size).toBe(1)
})

test('T026 a file that grew or was saved again meanwhile is not listed', async () => {
  const file = fileOf(patternBytes(6 * megabyte))
  const { begin, server } = startParts({
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
  const { begin, server } = startParts()
  const whole = fileOf(patternBytes(6 * megabyte))
  const shorter = { ...whole, slice: (start: number, end: number) => whole.slice(start, end - 1) }

  const error = await failureOf(begin(shorter))

  expect(error.name).toBe('FileChangedError')
  expect(server.seen.some(({ path }) => path === chunkPath)).toBe(false)
})

test('T025 nothing is sent from a device whose random generator repeats itself', async () => {
  const { begin, server } = startParts()
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
  const { begin, server } = startParts({
    fault: ({ path }) => (path === '/api/complete-chunk-upload' ? Response.json(gap, { status: 400 }) : undefined),
  })

  const error = await failureOf(begin(fileOf(patternBytes(6 * megabyte))))

  expect(error.message).toBe(gap.error)
  expect(server.seen.filter(({ path }) => path === '/api/complete-chunk-upload')).toHaveLength(1)
  expect(server.stored.size).toBe(0)
})

test('FIL-05 finishing is asked for three times, 1 and 2 seconds apart', async () => {
  const { begin, clock, server } = startParts({
    fault: ({ path }) => (path === '/api/complete-chunk-upload' ? 'cut' : undefined),
  })

  const error = await failureOf(begin(fileOf(patternBytes(6 * megabyte))))

  expect(error.message).toBe('Network error during upload')
  expect(server.seen.filter(({ path }) => path === '/api/complete-chunk-upload')).toHaveLength(3)
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([1000, 2000])
})

test('FIL-05 finishing that has not been answered after 60 seconds is asked for again', async () => {
  const { begin, clock, server } = startParts({
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

test('FIL-02 progress is told every 250 ms and never goes back', async () => {
  const { begin, clock, server } = startParts({
    fault: onChunk((seen) => (chunkIndex(seen) === 2 ? 'hang' : undefined)),
  })
  const upload = begin(fileOf(patternBytes(20 * megabyte)))
  const told: number[] = []
  upload.subscribe(() => {
    const state = upload.current()
    if (state.status === 'sending') told.push(state.sentBytes)
  })
  await settle(() => server.seen.length === 3)
  await clock.advance(1000)

  const state = upload.current()

  expect(told.length).toBeGreaterThanOrEqual(4)
  expect(told).toEqual([...told].sort((a, b) => a - b))
  expect(state).toMatchObject({ status: 'sending', phase: 'encrypted', totalBytes: 20 * megabyte })
  expect(state.status === 'sending' && state.sentBytes).toBe(16 * megabyte)
  upload.cancel()
  await upload.finished
})

test('an account key that cannot be had fails the upload before anything is sent', async () => {
  const { server } = startParts()
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

/** Lets everything else run until a point is reached; the test's own time limit ends a wait in vain. */
async function settle(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setImmediate(resolve))
}
