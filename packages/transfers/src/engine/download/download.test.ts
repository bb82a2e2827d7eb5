import { createCaller } from '@sallyport/client/call'
import { ClientError, NetworkError } from '@sallyport/client/errors'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { getSharedFile, parseShareLink } from '@sallyport/client/sharing/shared-file'
import { createFileServer, digestOf, type Fault } from '@sallyport/client/testing/file-server'
import { accountKey, patternBytes, sealedFile } from '@sallyport/client/testing/files'
import { createManualClock } from '@sallyport/client/testing/manual-clock'
import { until } from '@sallyport/client/testing/until'
import { expect, test } from 'vitest'
import { createTestSink } from '../../testing/files.ts'
import { createDecryptWorker } from './decrypt-worker.ts'
import { type Download, startDownload } from './download.ts'
import { type OwnFile, ownFileSource } from './own-file-source.ts'
import { sharedFileSource } from './shared-file-source.ts'

const kilobyte = 1024
const recordBytes = 64 * kilobyte
const sealedRecord = recordBytes + 28

interface HarnessOptions {
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly recordBytes?: number
  readonly fault?: Fault
  readonly isSeekable?: boolean
  readonly failAt?: number
  readonly passUpTo?: number
  readonly getAccessToken?: (rejectedToken?: string) => Promise<string | null>
}

async function startHarness(options: HarnessOptions = {}) {
  const { bytes = patternBytes(10 * recordBytes + 7), fault, passUpTo: skipUpTo = 60_000 } = options
  const clock = createManualClock({ skipUpTo })
  const server = createFileServer((seen, count) => (isDownload(seen.path) ? fault?.(seen, count) : undefined))
  const file = await sealedFile(bytes, { recordBytes: options.recordBytes })
  const id = server.store(file.name, file.envelope, file.bytes)
  const sink = createTestSink({ ...options, room: bytes.length })
  const fetch = server.fetch as typeof globalThis.fetch
  const getAccessToken = options.getAccessToken ?? (async () => 'token')
  const connection = { baseUrl: 'http://server.test', getAccessToken, fetch, clock }
  const begin = (overrides: Partial<OwnFile> = {}): Download<Uint8Array> =>
    startDownload({
      source: ownFileSource({ id, originalName: file.name, accountKey, ...overrides }),
      connection,
      createWorker: async (keys) => createDecryptWorker({ keys, sink, fetch, clock }),
    })
  const ranges = () => server.requests.filter(({ path }) => isDownload(path)).map(({ headers }) => headers.get('range'))
  return { clock, server, file, id, sink, connection, begin, ranges, bytes }
}

const isDownload = (path: string) => path.startsWith('/api/download/') || path.startsWith('/api/share/')

async function errorOf<Saved>(download: Download<Saved>): Promise<Error> {
  const end = await download.finished
  if (end.status !== 'failed') throw new Error(`The download ended as ${end.status}`)
  return end.error
}

test('FIL-14 a file decrypts to the same bytes, and only the id of its key is sent', async () => {
  const { begin, sink, bytes, server } = await startHarness()

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(sink.state).toBe('closed')
  expect(digestOf(sink.content())).toBe(digestOf(bytes))
  const request = server.requests.find(({ path }) => isDownload(path))
  expect(request?.headers.get('x-encryption-key')).toMatch(/^kid\.[A-Za-z0-9_-]{22}$/)
  expect(request?.headers.get('range')).toBeNull()
})

test('a wrapped key from the server opens only the file that was chosen', async () => {
  const { begin, server, id, sink } = await startHarness()
  const other = await sealedFile(patternBytes(100), { name: 'taxes.txt' })
  server.stored.set(id, { id, name: other.name, envelope: other.envelope, bytes: other.bytes })

  for (const own of [{}, { originalName: undefined }]) {
    const end = await begin(own).finished
    expect(end).toMatchObject({ status: 'failed', error: { code: 'FILE_KEY_MISSING' } })
  }
  expect(sink.content()).toHaveLength(0)
})

test('a known wrapped key is not requested again', async () => {
  const { begin, file, server } = await startHarness()

  const end = await begin({ encryptedFileKey: file.envelope }).finished

  expect(end.status).toBe('done')
  expect(server.requests.map(({ path }) => path.split('/')[2])).toEqual(['download'])
})

test('T028 an empty file is saved as an empty file', async () => {
  const { begin, sink } = await startHarness({ bytes: new Uint8Array(0) })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(sink.content().length).toBe(0)
})

test('FIL-14 a file that is decrypted at its end shows its progress, and Cancel stops it and removes it', async () => {
  const { begin, sink, bytes } = await startHarness()
  const reached = Promise.withResolvers<void>()
  sink.close = (onDecrypted, signal) =>
    new Promise((_, reject) => {
      onDecrypted(recordBytes)
      signal?.addEventListener('abort', () => reject(signal.reason))
      reached.resolve()
    })
  const download = begin()
  await reached.promise

  expect(download.current()).toEqual({ status: 'decrypting', decryptedBytes: recordBytes, totalBytes: bytes.length })
  download.cancel()

  expect(download.current()).toEqual({ status: 'cancelled' })
  expect(await download.finished).toEqual({ status: 'cancelled' })
  expect(sink.state).toBe('aborted')
})

test('a broken stream resumes at the next record', async () => {
  const { begin, sink, bytes, ranges } = await startHarness({
    fault: (_, count) => (count === 1 ? { breakAfter: 3 * sealedRecord + 100 } : undefined),
  })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(digestOf(sink.content())).toBe(digestOf(bytes))
  expect(ranges()).toEqual([null, `bytes=${3 * sealedRecord}-${10 * sealedRecord + 7 + 28 - 1}`])
})

test('a stream that ends early without an error is not accepted as the whole file', async () => {
  const { begin, sink, bytes, ranges } = await startHarness({
    fault: (_, count) => (count === 1 ? { endAfter: 6 * sealedRecord } : undefined),
  })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(digestOf(sink.content())).toBe(digestOf(bytes))
  expect(ranges()).toHaveLength(2)
})

test('T029 a stream that is always cut at the same position fails and leaves nothing behind', async () => {
  const { begin, sink, clock, ranges } = await startHarness({
    fault: (_, count) => ({ endAfter: count === 1 ? 6 * sealedRecord : 0 }),
  })

  const error = await errorOf(begin())

  expect(error).toBeInstanceOf(NetworkError)
  expect(sink.state).toBe('aborted')
  expect(ranges()).toHaveLength(4)
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([1000, 2000, 4000])
})

test('FIL-17 an unreachable server is reported as a network error after 3 retries', async () => {
  const { begin, sink, clock } = await startHarness({ fault: () => 'cut' })

  const error = await errorOf(begin())

  expect(error).toBeInstanceOf(NetworkError)
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([1000, 2000, 4000])
  expect(sink.state).toBe('aborted')
})

for (const [header, code] of [
  [null, 'RECORD_SIZE_MISSING'],
  ['', 'RECORD_SIZE_MISSING'],
  ['-65536', 'RECORD_SIZE_MISSING'],
  ['1e309', 'RECORD_SIZE_MISSING'],
  ['65536abc', 'RECORD_SIZE_MISSING'],
  ['65535', 'RECORD_SIZE_MISMATCH'],
  ['65537', 'RECORD_SIZE_MISMATCH'],
  ['131072', 'RECORD_SIZE_MISMATCH'],
] as const) {
  test(`T014 FIL-14 nothing is saved when X-Chunk-Size is ${JSON.stringify(header)}`, async () => {
    const headers = header === null ? {} : { 'X-Chunk-Size': header }
    const { begin, sink } = await startHarness({ fault: () => new Response('bytes', { headers }) })

    const error = await errorOf(begin())

    expect(error).toMatchObject({ code })
    expect(sink.state).toBe('aborted')
    expect(sink.content().length).toBe(0)
  })
}

test('FIL-17 an altered record fails the download with its index', async () => {
  const { begin, sink, server, id } = await startHarness()
  const stored = server.stored.get(id)
  stored?.bytes.fill(0, 4 * sealedRecord + 90, 4 * sealedRecord + 99)

  const error = await errorOf(begin())

  expect(error).toMatchObject({ code: 'RECORD_DAMAGED', index: 4 })
  expect(sink.state).toBe('aborted')
})

test('FIL-17 bytes after the last record are rejected', async () => {
  const { begin, sink, server, id } = await startHarness()
  const stored = server.stored.get(id)
  if (stored) server.stored.set(id, { ...stored, bytes: Buffer.concat([stored.bytes, new Uint8Array(1)]) })

  const error = await errorOf(begin())

  expect(error).toMatchObject({ code: 'RECORD_DAMAGED', index: 11 })
  expect(sink.state).toBe('aborted')
})

test('FIL-17 a deleted file is reported as not found', async () => {
  const { begin, server } = await startHarness()
  server.stored.clear()

  expect(await errorOf(begin())).toMatchObject({ name: 'ApiError', status: 404 })
})

test('FIL-17 a file that this account has no key for is reported', async () => {
  const { begin } = await startHarness()

  const error = await errorOf(begin({ accountKey: new Uint8Array(32).fill(9) }))

  expect(error).toMatchObject({ code: 'FILE_KEY_MISSING' })
})

test('FIL-17 any other error response is reported by its status', async () => {
  const { begin } = await startHarness({ fault: () => new Response('', { status: 410 }) })

  expect(await errorOf(begin())).toMatchObject({ status: 410 })
})

test('FIL-17 a server that keeps failing is reported by its status after 3 retries', async () => {
  const { begin, ranges } = await startHarness({ fault: () => new Response('', { status: 502 }) })

  expect(await errorOf(begin())).toMatchObject({ status: 502 })
  expect(ranges()).toHaveLength(4)
})

test('an expired bearer token is renewed once', async () => {
  const { begin, server } = await startHarness({
    getAccessToken: async (rejectedToken) =>
      rejectedToken === undefined && server.requests.length > 0 ? 'stale' : 'token',
  })

  const end = await begin().finished

  expect(end.status).toBe('done')
  const authorizations = server.requests
    .filter(({ path }) => isDownload(path))
    .map(({ headers }) => headers.get('authorization'))
  expect(authorizations).toEqual(['Bearer stale', 'Bearer token'])
})

test('FIL-17 a cancelled download leaves nothing behind', async () => {
  const { begin, sink, ranges, server } = await startHarness({
    fault: (_, count) => (count === 1 ? 'hang' : undefined),
  })
  const download = begin()
  await until(() => ranges().length > 0, 'a range was requested')

  download.cancel()

  expect(download.current()).toEqual({ status: 'cancelled' })
  expect(await download.finished).toEqual({ status: 'cancelled' })
  expect(sink.state).toBe('aborted')
  expect(server.requests.at(-1)?.signal?.aborted).toBe(true)
  expect(server.requests.at(-1)?.signal?.reason.name).toBe('AbortError')
})

test('FIL-17 a download that the user cancels in the browser’s own list ends as cancelled', async () => {
  const { begin, sink } = await startHarness()
  sink.write = () => Promise.reject(new ClientError('DOWNLOAD_CANCELLED'))

  expect(await begin().finished).toEqual({ status: 'cancelled' })
  expect(sink.state).toBe('aborted')
})

test('a full disk fails the download with the sink’s error', async () => {
  const { begin, sink } = await startHarness({ failAt: 3 * recordBytes })

  expect((await errorOf(begin())).message).toBe('The disk is full')
  expect(sink.state).toBe('aborted')
})

test('a large file is fetched in two concurrent parts if the sink is seekable', async () => {
  const { begin, sink, ranges, bytes } = await startHarness({
    bytes: patternBytes(130 * kilobyte * kilobyte),
    recordBytes: 512 * kilobyte,
    isSeekable: true,
  })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(ranges()).toHaveLength(3)
  expect(digestOf(sink.content())).toBe(digestOf(bytes))
})

test('a full response to a range request is rejected', async () => {
  const { begin } = await startHarness({
    fault: (_, count) => (count === 1 ? { endAfter: 2 * sealedRecord } : new Response('all of it', { status: 200 })),
  })

  expect(await errorOf(begin())).toMatchObject({ status: 200, code: null })
})

test('SHR-04 a shared file is downloaded without an account, with the proof of its link', async () => {
  const { connection, file, id, sink, bytes, server, clock } = await startHarness()
  const { name: originalName } = file
  const call = createCaller(connection)
  const link = await shareFile(call, { id, originalName, accountKey, origin: 'http://server.test' })
  const anonymous = { ...connection, getAccessToken: async () => null }
  const share = await getSharedFile(createCaller(anonymous), await parseShareLink(link))

  const end = await startDownload({
    source: sharedFileSource(share),
    connection: anonymous,
    createWorker: async (keys) => createDecryptWorker({ keys, sink, fetch: connection.fetch, clock }),
  }).finished

  expect(end.status).toBe('done')
  expect(digestOf(sink.content())).toBe(digestOf(bytes))
  const request = server.requests.at(-1)
  expect(request?.headers.has('authorization')).toBe(false)
  expect(request?.headers.get('x-share-proof')).toBe(share.proof)
})

test('SHR-04 the timeout after an hour is explained', async () => {
  const { connection, file, id, sink, clock, ranges } = await startHarness({
    passUpTo: 10_000,
    fault: ({ method }) => (method === 'GET' ? 'hang' : undefined),
  })
  const call = createCaller(connection)
  const link = await shareFile(call, { id, originalName: file.name, accountKey, origin: 'http://server.test' })
  const share = await getSharedFile(call, await parseShareLink(link))
  const download = startDownload({
    source: sharedFileSource(share),
    connection,
    createWorker: async (keys) => createDecryptWorker({ keys, sink, fetch: connection.fetch, clock }),
  })
  await until(() => ranges().length >= 2, 'two ranges were requested')

  await clock.advanceInOneStep(3_600_000)

  const error = await errorOf(download)
  expect(error).toMatchObject({ code: 'DOWNLOAD_TIMEOUT' })
  expect(sink.state).toBe('aborted')
})

test('SHR-04 a share that ended before its bytes were fetched is not found', async () => {
  const { connection, file, id, sink, clock, server } = await startHarness()
  const call = createCaller(connection)
  const link = await shareFile(call, { id, originalName: file.name, accountKey, origin: 'http://server.test' })
  const share = await getSharedFile(call, await parseShareLink(link))
  server.shares.clear()

  const download = startDownload({
    source: sharedFileSource(share),
    connection,
    createWorker: async (keys) => createDecryptWorker({ keys, sink, fetch: connection.fetch, clock }),
  })

  expect(await errorOf(download)).toMatchObject({ name: 'ApiError', status: 404 })
})

test('FIL-14 progress reports verified bytes, speed and storage', async () => {
  const { begin, clock } = await startHarness({
    passUpTo: 100,
    fault: (_, count) => (count === 1 ? { endAfter: 5 * sealedRecord } : 'hang'),
  })
  const download = begin()
  await until(() => clock.waits.includes(1000), 'the download waits for 1 second')

  await clock.advance(500)

  const state = download.current()
  expect(state).toMatchObject({ status: 'receiving', receivedBytes: 5 * recordBytes, storage: 'memory' })
  expect(state.status === 'receiving' && state.bytesPerSecond).toBeGreaterThan(0)
  download.cancel()
  await download.finished
})
