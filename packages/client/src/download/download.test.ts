import { errorCatalogue } from '@sallyport/contract/errors'
import { expect, test } from 'vitest'
import { createCaller } from '../call.ts'
import { shareFile } from '../sharing/share-link.ts'
import { lookAtShare, openShareLink } from '../sharing/shared-file.ts'
import { createFileServer, digestOf, type Fault } from '../testing/file-server.ts'
import { accountKey, createTestSink, patternBytes, sealedFile } from '../testing/files.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { type Download, startDownload } from './download.ts'
import { createOpenLane } from './open-lane.ts'
import type { OwnFile } from './source.ts'

const kilobyte = 1024
const recordBytes = 64 * kilobyte
const sealedRecord = recordBytes + 28

interface Setting {
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly recordBytes?: number
  readonly fault?: Fault
  readonly isSeekable?: boolean
  readonly failAt?: number
  readonly passUpTo?: number
  readonly accessToken?: (turnedDown?: string) => Promise<string | null>
}

async function startParts(setting: Setting = {}) {
  const { bytes = patternBytes(10 * recordBytes + 7), fault, passUpTo = 60_000 } = setting
  const clock = createManualClock({ passUpTo })
  const server = createFileServer((seen, count) => (isDownload(seen.path) ? fault?.(seen, count) : undefined))
  const file = await sealedFile(bytes, { recordBytes: setting.recordBytes })
  const id = server.store(file.name, file.envelope, file.bytes)
  const sink = createTestSink({ ...setting, room: bytes.length })
  const fetch = server.fetch as typeof globalThis.fetch
  const accessToken = setting.accessToken ?? (async () => 'token')
  const connection = { baseUrl: 'http://server.test', accessToken, fetch, clock }
  const begin = (own: Partial<OwnFile> = {}): Download<Uint8Array> =>
    startDownload({
      source: { kind: 'file', id, originalName: file.name, accountKey, ...own },
      connection,
      openLane: async (keys) => createOpenLane({ keys, sink, fetch, clock }),
    })
  const ranges = () => server.seen.filter(({ path }) => isDownload(path)).map(({ headers }) => headers.get('range'))
  return { clock, server, file, id, sink, connection, begin, ranges, bytes }
}

const isDownload = (path: string) => path.startsWith('/api/download/') || path.startsWith('/api/share/')

async function failureOf<Saved>(download: Download<Saved>): Promise<Error> {
  const end = await download.finished
  if (end.status !== 'failed') throw new Error(`The download ended as ${end.status}`)
  return end.error
}

test('FIL-14 a file comes back as it was, and only the id of its key is told', async () => {
  const { begin, sink, bytes, server } = await startParts()

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(sink.state).toBe('closed')
  expect(digestOf(sink.content())).toBe(digestOf(bytes))
  const request = server.seen.find(({ path }) => isDownload(path))
  expect(request?.headers.get('x-encryption-key')).toMatch(/^kid\.[A-Za-z0-9_-]{22}$/)
  expect(request?.headers.get('range')).toBeNull()
})

test('a wrapped key that the server answers opens no other file than the one that was chosen', async () => {
  const { begin, server, id, sink } = await startParts()
  const other = await sealedFile(patternBytes(100), { name: 'taxes.txt' })
  server.stored.set(id, { id, name: other.name, envelope: other.envelope, bytes: other.bytes })

  for (const own of [{}, { originalName: undefined }]) {
    const end = await begin(own).finished
    expect(end).toMatchObject({ status: 'failed', error: { message: 'File encryption key not found' } })
  }
  expect(sink.content()).toHaveLength(0)
})

test('a wrapped key that is at hand is not asked for again', async () => {
  const { begin, file, server } = await startParts()

  const end = await begin({ encryptedFileKey: file.envelope }).finished

  expect(end.status).toBe('done')
  expect(server.seen.map(({ path }) => path.split('/')[2])).toEqual(['download'])
})

test('T028 an empty file is saved as an empty file', async () => {
  const { begin, sink } = await startParts({ bytes: new Uint8Array(0) })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(sink.content().length).toBe(0)
})

test('a stream that breaks is taken up at the next record', async () => {
  const { begin, sink, bytes, ranges } = await startParts({
    fault: (_, count) => (count === 1 ? { breakAfter: 3 * sealedRecord + 100 } : undefined),
  })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(digestOf(sink.content())).toBe(digestOf(bytes))
  expect(ranges()).toEqual([null, `bytes=${3 * sealedRecord}-${10 * sealedRecord + 7 + 28 - 1}`])
})

test('a stream that ends early without an error is not taken for the whole', async () => {
  const { begin, sink, bytes, ranges } = await startParts({
    fault: (_, count) => (count === 1 ? { endAfter: 6 * sealedRecord } : undefined),
  })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(digestOf(sink.content())).toBe(digestOf(bytes))
  expect(ranges()).toHaveLength(2)
})

test('T029 a stream that is always cut at the same place fails and leaves nothing behind', async () => {
  const { begin, sink, clock, ranges } = await startParts({
    fault: (_, count) => ({ endAfter: count === 1 ? 6 * sealedRecord : 0 }),
  })

  const error = await failureOf(begin())

  expect(error.message).toBe('Download failed due to network error')
  expect(sink.state).toBe('aborted')
  expect(ranges()).toHaveLength(4)
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([1000, 2000, 4000])
})

test('FIL-17 a server that cannot be reached is told as such after three more attempts', async () => {
  const { begin, sink, clock } = await startParts({ fault: () => 'cut' })

  const error = await failureOf(begin())

  expect(error.message).toBe('Download failed due to network error')
  expect(clock.waits.filter((wait) => wait < 10_000)).toEqual([1000, 2000, 4000])
  expect(sink.state).toBe('aborted')
})

for (const [sent, message] of [
  [null, 'Missing X-Chunk-Size header'],
  ['', 'Missing X-Chunk-Size header'],
  ['-65536', 'Missing X-Chunk-Size header'],
  ['1e309', 'Missing X-Chunk-Size header'],
  ['65536abc', 'Missing X-Chunk-Size header'],
  ['65535', 'The X-Chunk-Size header contradicts the key of this file'],
  ['65537', 'The X-Chunk-Size header contradicts the key of this file'],
  ['131072', 'The X-Chunk-Size header contradicts the key of this file'],
] as const) {
  test(`T014 FIL-14 nothing is saved when X-Chunk-Size is ${JSON.stringify(sent)}`, async () => {
    const headers = sent === null ? {} : { 'X-Chunk-Size': sent }
    const { begin, sink } = await startParts({ fault: () => new Response('bytes', { headers }) })

    const error = await failureOf(begin())

    expect(error.message).toBe(message)
    expect(sink.state).toBe('aborted')
    expect(sink.content().length).toBe(0)
  })
}

test('FIL-17 a record that was altered stops the download by its number', async () => {
  const { begin, sink, server, id } = await startParts()
  const stored = server.stored.get(id)
  stored?.bytes.fill(0, 4 * sealedRecord + 90, 4 * sealedRecord + 99)

  const error = await failureOf(begin())

  expect(error.message).toBe('Failed to decrypt chunk 4')
  expect(sink.state).toBe('aborted')
})

test('FIL-17 bytes behind the last record are refused', async () => {
  const { begin, sink, server, id } = await startParts()
  const stored = server.stored.get(id)
  if (stored) server.stored.set(id, { ...stored, bytes: Buffer.concat([stored.bytes, new Uint8Array(1)]) })

  const error = await failureOf(begin())

  expect(error.message).toBe('Failed to decrypt chunk 11')
  expect(sink.state).toBe('aborted')
})

test('FIL-17 a file that is gone is not found', async () => {
  const { begin, server } = await startParts()
  server.stored.clear()

  expect((await failureOf(begin())).message).toBe('File not found')
})

test('FIL-17 a file without a key of this account is told so', async () => {
  const { begin } = await startParts()

  const error = await failureOf(begin({ accountKey: new Uint8Array(32).fill(9) }))

  expect(error.message).toBe('File encryption key not found')
})

test('FIL-17 any other refusal is told by its status', async () => {
  const { begin } = await startParts({ fault: () => new Response('', { status: 410 }) })

  expect((await failureOf(begin())).message).toBe('Download failed: 410')
})

test('FIL-17 a server that stays broken is told by its status after three more attempts', async () => {
  const { begin, ranges } = await startParts({ fault: () => new Response('', { status: 502 }) })

  expect((await failureOf(begin())).message).toBe('Download failed: 502')
  expect(ranges()).toHaveLength(4)
})

test('a replaced key is reported by the sentence of the contract, whatever the server wrote', async () => {
  const replaced = { success: false, code: 'KEY_REPLACED', error: 'Saved. Nothing to do.' }
  const { begin } = await startParts({ fault: () => Response.json(replaced, { status: 409 }) })

  expect((await failureOf(begin())).message).toBe(errorCatalogue.KEY_REPLACED.text)
})

test('a bearer token that ran out is renewed once', async () => {
  const { begin, server } = await startParts({
    accessToken: async (turnedDown) => (turnedDown === undefined && server.seen.length > 0 ? 'stale' : 'token'),
  })

  const end = await begin().finished

  expect(end.status).toBe('done')
  const bearers = server.seen.filter(({ path }) => isDownload(path)).map(({ headers }) => headers.get('authorization'))
  expect(bearers).toEqual(['Bearer stale', 'Bearer token'])
})

test('FIL-17 a cancelled download leaves nothing behind', async () => {
  const { begin, sink, ranges, server } = await startParts({ fault: (_, count) => (count === 1 ? 'hang' : undefined) })
  const download = begin()
  while (ranges().length === 0) await new Promise((resolve) => setImmediate(resolve))

  download.cancel()

  expect(download.current()).toEqual({ status: 'cancelled' })
  expect(await download.finished).toEqual({ status: 'cancelled' })
  expect(sink.state).toBe('aborted')
  expect(server.seen.at(-1)?.signal?.aborted).toBe(true)
  expect(server.seen.at(-1)?.signal?.reason.message).toBe('Download was cancelled')
})

test('a full disk fails the download in its own words', async () => {
  const { begin, sink } = await startParts({ failAt: 3 * recordBytes })

  expect((await failureOf(begin())).message).toBe('The disk is full')
  expect(sink.state).toBe('aborted')
})

test('a large file is fetched in two parts side by side where the sink takes any order', async () => {
  const { begin, sink, ranges, bytes } = await startParts({
    bytes: patternBytes(130 * kilobyte * kilobyte),
    recordBytes: 512 * kilobyte,
    isSeekable: true,
  })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(ranges()).toHaveLength(3)
  expect(digestOf(sink.content())).toBe(digestOf(bytes))
})

test('a server that answers a part with the whole is not believed', async () => {
  const { begin } = await startParts({
    fault: (_, count) => (count === 1 ? { endAfter: 2 * sealedRecord } : new Response('all of it', { status: 200 })),
  })

  expect((await failureOf(begin())).message).toBe('Download failed: 200')
})

test('SHR-04 a shared file is downloaded without an account, with the proof of its link', async () => {
  const { connection, file, id, sink, bytes, server, clock } = await startParts()
  const { name: originalName } = file
  const call = createCaller(connection)
  const link = await shareFile(call, { id, originalName, accountKey, origin: 'http://server.test' })
  const anonymous = { ...connection, accessToken: async () => null }
  const share = await lookAtShare(createCaller(anonymous), await openShareLink(link))

  const end = await startDownload({
    source: { kind: 'share', share },
    connection: anonymous,
    openLane: async (keys) => createOpenLane({ keys, sink, fetch: connection.fetch, clock }),
  }).finished

  expect(end.status).toBe('done')
  expect(digestOf(sink.content())).toBe(digestOf(bytes))
  const request = server.seen.at(-1)
  expect(request?.headers.has('authorization')).toBe(false)
  expect(request?.headers.get('x-share-proof')).toBe(share.proof)
})

test('SHR-04 an hour without an end is told at length', async () => {
  const { connection, file, id, sink, clock, ranges } = await startParts({
    passUpTo: 10_000,
    fault: ({ method }) => (method === 'GET' ? 'hang' : undefined),
  })
  const call = createCaller(connection)
  const link = await shareFile(call, { id, originalName: file.name, accountKey, origin: 'http://server.test' })
  const share = await lookAtShare(call, await openShareLink(link))
  const download = startDownload({
    source: { kind: 'share', share },
    connection,
    openLane: async (keys) => createOpenLane({ keys, sink, fetch: connection.fetch, clock }),
  })
  while (ranges().length < 2) await new Promise((resolve) => setImmediate(resolve))

  await clock.leap(3_600_000)

  const error = await failureOf(download)
  expect(error.message).toMatch(/very large files or slow connections/)
  expect(sink.state).toBe('aborted')
})

test('SHR-04 a share that ended before its bytes were fetched is not found', async () => {
  const { connection, file, id, sink, clock, server } = await startParts()
  const call = createCaller(connection)
  const link = await shareFile(call, { id, originalName: file.name, accountKey, origin: 'http://server.test' })
  const share = await lookAtShare(call, await openShareLink(link))
  server.shares.clear()

  const download = startDownload({
    source: { kind: 'share', share },
    connection,
    openLane: async (keys) => createOpenLane({ keys, sink, fetch: connection.fetch, clock }),
  })

  expect((await failureOf(download)).message).toBe('File not found or expired')
})

test('FIL-14 progress tells verified bytes, speed and where they are kept', async () => {
  const { begin, clock } = await startParts({
    passUpTo: 100,
    fault: (_, count) => (count === 1 ? { endAfter: 5 * sealedRecord } : 'hang'),
  })
  const download = begin()
  while (clock.waits.filter((wait) => wait === 1000).length === 0) await new Promise((resolve) => setImmediate(resolve))

  await clock.advance(500)

  const state = download.current()
  expect(state).toMatchObject({ status: 'receiving', receivedBytes: 5 * recordBytes, place: 'memory' })
  expect(state.status === 'receiving' && state.bytesPerSecond).toBeGreaterThan(0)
  download.cancel()
  await download.finished
})
