import type { Connectivity } from '@sallyport/client/connectivity'
import { createSubject } from '@sallyport/client/observable'
import { createFileServer, digestOf, type Fault, type RecordedRequest } from '@sallyport/client/testing/file-server'
import { accountKey, openStoredFile, patternBytes } from '@sallyport/client/testing/files'
import { createManualClock } from '@sallyport/client/testing/manual-clock'
import { until } from '@sallyport/client/testing/until'
import { expect, test } from 'vitest'
import { sendByFetch } from '../../node/send-by-fetch.ts'
import { fileOf } from '../../testing/files.ts'
import { createEncryptWorker } from './encrypt-worker.ts'
import type { FileSource } from './file-source.ts'
import { openMemoryJournal } from './journal.ts'
import { prepareUpload, type Resumption, toPersistedUpload } from './prepare-upload.ts'
import { type StartUploadInput, startUpload, type Upload } from './upload.ts'

const megabyte = 1024 * 1024
const bytes = patternBytes(20 * megabyte + 5)
const chunkPath = '/api/upload-chunk'
const chunkIndex = ({ headers }: RecordedRequest) => Number(headers.get('x-chunk-index'))

function startHarness(fault?: Fault, connectivity?: Connectivity) {
  const clock = createManualClock({ skipUpTo: 59_999 })
  const server = createFileServer((seen, count) => faultRef.fault?.(seen, count))
  const faultRef: { fault: Fault | undefined } = { fault }
  const fetch = server.fetch as typeof globalThis.fetch
  const send = sendByFetch({ fetch, clock })
  const begin = (file: FileSource, overrides: Partial<StartUploadInput> = {}): Upload =>
    startUpload({
      file,
      rootKey: accountKey,
      connection: { baseUrl: 'http://server.test', getAccessToken: async () => 'token', fetch, clock, connectivity },
      createWorker: (source) => createEncryptWorker(source, { send }),
      ...overrides,
    })
  const chunksSent = () => server.requests.filter(({ path }) => path === chunkPath).map(chunkIndex)
  return { clock, server, begin, chunksSent, faultRef }
}

/** Starts an upload of 3 chunks and suspends it when 2 of them have arrived. */
async function startInterruptedUpload(overrides: Partial<StartUploadInput> = {}) {
  const harness = startHarness((seen) => (seen.path === chunkPath && chunkIndex(seen) === 1 ? 'hang' : undefined))
  const upload = harness.begin(fileOf(bytes), overrides)
  await until(
    () => [...harness.server.uploads.values()][0]?.chunks.size === 2 && harness.chunksSent().length === 3,
    'two of three chunks are stored',
  )
  upload.suspend()
  await upload.finished
  harness.faultRef.fault = undefined
  const resumption = upload.resumption()
  if (!resumption) throw new Error('The upload is not resumable')
  return { ...harness, resumption }
}

async function storedDigest({ stored }: ReturnType<typeof createFileServer>): Promise<string> {
  const [file] = [...stored.values()]
  return digestOf((await openStoredFile(file as never)).bytes)
}

const errorOf = async (upload: Upload): Promise<Error> => {
  const end = await upload.finished
  if (end.status !== 'failed') throw new Error(`The upload ended as ${end.status}`)
  return end.error
}

test('F12 a resumed upload sends only the missing chunks and ends as the same file', async () => {
  const { server, begin, chunksSent, resumption } = await startInterruptedUpload()

  const end = await begin(fileOf(bytes), { resumption }).finished

  expect(end.status).toBe('done')
  expect(chunksSent().slice(0, 3).toSorted()).toEqual([0, 1, 2])
  expect(chunksSent().slice(3)).toEqual([1])
  expect(await storedDigest(server)).toBe(digestOf(bytes))
})

test('a chunk that is sent again after an interruption is sealed with a new nonce', async () => {
  const { server, begin, resumption } = await startInterruptedUpload()

  await begin(fileOf(bytes), { resumption }).finished

  const [first, second] = server.requests.filter((seen) => seen.path === chunkPath && chunkIndex(seen) === 1)
  const ivOf = (seen: RecordedRequest | undefined) => digestOf(seen?.body.subarray(0, 12) ?? new Uint8Array())
  expect(ivOf(second)).not.toBe(ivOf(first))
})

test.each([
  ['the first byte', 0],
  ['a byte of a chunk that was sealed but did not arrive', 9 * megabyte],
  ['the last byte', 20 * megabyte + 4],
])('a file with the same name, size and time is rejected if %s differs', async (_, position) => {
  const { server, begin, chunksSent, resumption } = await startInterruptedUpload()
  const changed = bytes.slice()
  changed[position] = (changed[position] ?? 0) ^ 1

  const error = await errorOf(begin(fileOf(changed), { resumption }))

  expect(error).toMatchObject({ code: 'FILE_DIFFERS' })
  expect(chunksSent().toSorted()).toEqual([0, 1, 2])
  expect(server.stored.size).toBe(0)
  expect((await begin(fileOf(bytes), { resumption }).finished).status).toBe('done')
})

test.each([
  ['name', { name: 'other.txt' }],
  ['size', { size: bytes.length - 1 }],
  ['time', { lastModified: 1_700_000_000_001 }],
])('a file with a different %s is rejected without any request', async (_, changes) => {
  const { server, begin, resumption } = await startInterruptedUpload()
  const before = server.requests.length

  const error = await errorOf(begin({ ...fileOf(bytes), ...changes }, { resumption }))

  expect(error).toMatchObject({ code: 'FILE_DIFFERS' })
  expect(server.requests.length).toBe(before)
})

test('an upload of another account is rejected', async () => {
  const { begin, resumption } = await startInterruptedUpload()

  const error = await errorOf(begin(fileOf(bytes), { resumption, rootKey: new Uint8Array(32).fill(9) }))

  expect(error).toMatchObject({ name: 'CryptoError', code: 'wrong-key' })
})

test('chunks on the server without record digests in the journal are sent again', async () => {
  const { server, begin, chunksSent, resumption } = await startInterruptedUpload()
  const journal = await openMemoryJournal(resumption.persisted)
  const recordDigests = await resumption.journal.recordDigests()
  for (const [index, imprints] of recordDigests) if (index !== 0) await journal.write(index, imprints.slice())

  const end = await begin(fileOf(bytes), { resumption: { ...resumption, journal } }).finished

  expect(end.status).toBe('done')
  expect(chunksSent().slice(3).sort()).toEqual([0, 1])
  expect(await storedDigest(server)).toBe(digestOf(bytes))
})

test.each([
  ['lacks one of them', [[0, Number.MAX_SAFE_INTEGER]], { status: 'failed', error: { code: 'UPLOAD_INCOMPLETE' } }],
  [
    'has the others',
    [
      [-3, 0],
      [2, 1_000_000],
    ],
    { status: 'done' },
  ],
] as const)('ranges beyond the chunks of the file are ignored: the server %s', async (_, received, end) => {
  const { server, begin, resumption, faultRef } = await startInterruptedUpload()
  faultRef.fault = ({ path, method }) => {
    if (!path.startsWith('/api/uploads/') || method !== 'GET') return undefined
    const sizes = { size: bytes.length, chunkSize: 8 * megabyte, totalChunks: 3, expiresAt: 1 }
    return Response.json({ success: true, uploadId: '', originalName: '', encryptedFileKey: '', ...sizes, received })
  }

  expect(await begin(fileOf(bytes), { resumption }).finished).toMatchObject(end)

  if (end.status === 'done') expect(await storedDigest(server)).toBe(digestOf(bytes))
})

test('record digests of chunks that the server lacks are ignored', async () => {
  const { server, begin, chunksSent, resumption } = await startInterruptedUpload()
  server.uploads.clear()

  const end = await begin(fileOf(bytes), { resumption }).finished

  expect(end.status).toBe('done')
  expect(chunksSent().slice(3).sort()).toEqual([0, 1, 2])
  expect(await storedDigest(server)).toBe(digestOf(bytes))
})

test('an upload whose completion response was lost is found to be done', async () => {
  const harness = startHarness(({ path }) => (path === '/api/complete-chunk-upload' ? 'stuck' : undefined))
  const upload = harness.begin(fileOf(bytes))
  await until(() => harness.server.stored.size === 1, 'the file is stored')
  upload.suspend()
  await upload.finished
  harness.faultRef.fault = undefined
  const resumption = upload.resumption() as Resumption

  const end = await harness.begin(fileOf(bytes), { resumption }).finished

  expect(end).toEqual({ status: 'done', fileId: [...harness.server.stored.keys()][0] })
  expect(harness.chunksSent()).toHaveLength(3)
  expect(harness.server.stored.size).toBe(1)
})

test('FIL-05 an upload that failed with a network error resumes where it stopped', async () => {
  const harness = startHarness((seen) => (seen.path === chunkPath && chunkIndex(seen) === 2 ? 'cut' : undefined))
  const upload = harness.begin(fileOf(bytes))
  const error = await errorOf(upload)
  harness.faultRef.fault = undefined
  const before = harness.chunksSent().length

  const end = await harness.begin(fileOf(bytes), { resumption: upload.resumption() as Resumption }).finished

  expect(error).toMatchObject({ code: 'UPLOAD_CHUNK_FAILED', index: 2 })
  expect(end.status).toBe('done')
  expect(harness.chunksSent().slice(before)).not.toContain(0)
  expect(await storedDigest(harness.server)).toBe(digestOf(bytes))
})

test('an upload that is done, cancelled or permanently rejected is not resumable', async () => {
  const ended: string[] = []
  const openJournal: StartUploadInput['openJournal'] = async (upload) => {
    const journal = await openMemoryJournal(upload)
    return { ...journal, delete: async () => void ended.push(upload.uploadId) }
  }
  const full = { success: false, code: 'STORAGE_LIMIT', error: 'Storage limit reached' }
  const done = startHarness()
  const rejected = startHarness(({ path }) => (path === chunkPath ? Response.json(full, { status: 413 }) : undefined))
  const cancelled = startHarness(({ path }) => (path === chunkPath ? 'hang' : undefined))

  const uploads = [done, rejected, cancelled].map(({ begin }) => begin(fileOf(bytes), { openJournal }))
  await until(() => cancelled.chunksSent().length > 0, 'a chunk was sent')
  uploads[2]?.cancel()
  const ends = await Promise.all(uploads.map(({ finished }) => finished))

  expect(ends.map(({ status }) => status)).toEqual(['done', 'failed', 'cancelled'])
  expect(uploads.map((upload) => upload.resumption())).toEqual([null, null, null])
  expect(new Set(ended).size).toBe(3)
})

test('F25 while offline no attempt is made or counted', async () => {
  const connectivity = createSubject(true)
  const loseConnection: Fault = (seen) => {
    if (seen.path !== chunkPath || chunkIndex(seen) !== 1 || !connectivity.current()) return undefined
    queueMicrotask(() => connectivity.set(false))
    return 'hang'
  }
  const harness = startHarness(loseConnection, { ...connectivity, verify: async () => connectivity.current() })
  const upload = harness.begin(fileOf(bytes))
  await until(() => !connectivity.current(), 'the client is offline')
  await harness.clock.advanceInOneStep(3_600_000)
  const paused = upload.current()
  const sentBefore = harness.chunksSent().length
  harness.faultRef.fault = undefined

  connectivity.set(true)
  const end = await upload.finished

  expect(paused).toMatchObject({ status: 'sending', isPaused: true })
  expect(end.status).toBe('done')
  expect(harness.clock.waits.filter((wait) => wait < 10_000)).toEqual([])
  expect(harness.chunksSent().length - sentBefore).toBeLessThanOrEqual(3)
  const [first, second] = harness.server.requests.filter((seen) => seen.path === chunkPath && chunkIndex(seen) === 1)
  expect(digestOf(second?.body ?? new Uint8Array())).toBe(digestOf(first?.body ?? new Uint8Array()))
})

test('a small file that was persisted while it waited is uploaded under its persisted id and found by it afterwards', async () => {
  const { server, begin } = startHarness()
  const file = fileOf(patternBytes(700_001))
  const upload = await prepareUpload({ file, rootKey: accountKey })
  const pending = {
    upload,
    persisted: toPersistedUpload(upload),
    journal: await openMemoryJournal(toPersistedUpload(upload)),
  }

  const end = await begin(file, { pending: Promise.resolve(pending) }).finished
  const repeated = await begin(file, { resumption: pending }).finished

  expect(end.status).toBe('done')
  expect(repeated).toEqual(end)
  expect(server.requests.filter(({ path }) => path === '/api/upload')).toHaveLength(1)
  expect([...server.stored.values()].map(({ envelope }) => envelope)).toEqual([upload.envelope])
})

test('a small file that was persisted and never arrived is uploaded on retry', async () => {
  const { server, begin } = startHarness()
  const file = fileOf(patternBytes(700_001))
  const persisted = toPersistedUpload(await prepareUpload({ file, rootKey: accountKey }))

  const end = await begin(file, { resumption: { persisted, journal: await openMemoryJournal(persisted) } }).finished

  expect(end.status).toBe('done')
  expect(await storedDigest(server)).toBe(digestOf(patternBytes(700_001)))
})
