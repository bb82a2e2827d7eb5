import { expect, test } from 'vitest'
import { createSubject } from '../observable.ts'
import { createFileServer, digestOf, type Fault, type Seen } from '../testing/file-server.ts'
import { accountKey, fileOf, openStored, patternBytes } from '../testing/files.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import type { FileSource } from './file-source.ts'
import { journalInMemory, type Resumption } from './journal.ts'
import { keptOf, prepareUpload } from './prepare-upload.ts'
import { createSealLane } from './seal-lane.ts'
import { sendByFetch } from './send-by-fetch.ts'
import { type StartUpload, startUpload, type Upload } from './upload.ts'

const megabyte = 1024 * 1024
const bytes = patternBytes(20 * megabyte + 5)
const chunkPath = '/api/upload-chunk'
const chunkIndex = ({ headers }: Seen) => Number(headers.get('x-chunk-index'))

function startParts(fault?: Fault) {
  const clock = createManualClock({ passUpTo: 59_999 })
  const server = createFileServer((seen, count) => parts.fault?.(seen, count))
  const parts: { fault: Fault | undefined } = { fault }
  const fetch = server.fetch as typeof globalThis.fetch
  const send = sendByFetch({ fetch, clock })
  const begin = (file: FileSource, more: Partial<StartUpload> = {}): Upload =>
    startUpload({
      file,
      accountKey,
      connection: { baseUrl: 'http://server.test', accessToken: async () => 'token', fetch, clock },
      openLane: (source) => createSealLane(source, { send }),
      ...more,
    })
  const chunksSent = () => server.seen.filter(({ path }) => path === chunkPath).map(chunkIndex)
  return { clock, server, begin, chunksSent, parts }
}

/** An upload of three chunks that was broken off when two of them had arrived. */
async function breakOff(more: Partial<StartUpload> = {}) {
  const made = startParts((seen) => (seen.path === chunkPath && chunkIndex(seen) === 1 ? 'hang' : undefined))
  const upload = made.begin(fileOf(bytes), more)
  await settle(() => [...made.server.uploads.values()][0]?.chunks.size === 2 && made.chunksSent().length === 3)
  upload.suspend()
  await upload.finished
  made.parts.fault = undefined
  const resumption = upload.resumption()
  if (!resumption) throw new Error('Nothing was left to go on with')
  return { ...made, resumption }
}

async function storedDigest({ stored }: ReturnType<typeof createFileServer>): Promise<string> {
  const [file] = [...stored.values()]
  return digestOf((await openStored(file as never)).bytes)
}

const failureOf = async (upload: Upload): Promise<Error> => {
  const end = await upload.finished
  if (end.status !== 'failed') throw new Error(`The upload ended as ${end.status}`)
  return end.error
}

test('F12 an upload that was broken off goes on with what the server lacks and ends as the same file', async () => {
  const { server, begin, chunksSent, resumption } = await breakOff()

  const end = await begin(fileOf(bytes), { resumption }).finished

  expect(end.status).toBe('done')
  expect(chunksSent().slice(0, 3).toSorted()).toEqual([0, 1, 2])
  expect(chunksSent().slice(3)).toEqual([1])
  expect(await storedDigest(server)).toBe(digestOf(bytes))
})

test('a chunk that is sent again after an interruption is sealed anew', async () => {
  const { server, begin, resumption } = await breakOff()

  await begin(fileOf(bytes), { resumption }).finished

  const [first, second] = server.seen.filter((seen) => seen.path === chunkPath && chunkIndex(seen) === 1)
  const ivOf = (seen: Seen | undefined) => digestOf(seen?.body.subarray(0, 12) ?? new Uint8Array())
  expect(ivOf(second)).not.toBe(ivOf(first))
})

test.each([
  ['the first sealed byte', 0],
  ['a byte of a chunk that was sealed but never arrived', 9 * megabyte],
  ['the last byte of all', 20 * megabyte + 4],
])('a file of the same name, size and time is refused when %s is another', async (_, place) => {
  const { server, begin, chunksSent, resumption } = await breakOff()
  const changed = bytes.slice()
  changed[place] = (changed[place] ?? 0) ^ 1

  const error = await failureOf(begin(fileOf(changed), { resumption }))

  expect(error.name).toBe('FileDiffersError')
  expect(chunksSent().toSorted()).toEqual([0, 1, 2])
  expect(server.stored.size).toBe(0)
  expect((await begin(fileOf(bytes), { resumption }).finished).status).toBe('done')
})

test.each([
  ['name', { name: 'other.txt' }],
  ['size', { size: bytes.length - 1 }],
  ['time', { lastModified: 1_700_000_000_001 }],
])('a file of another %s is refused before anything is asked or sent', async (_, other) => {
  const { server, begin, resumption } = await breakOff()
  const before = server.seen.length

  const error = await failureOf(begin({ ...fileOf(bytes), ...other }, { resumption }))

  expect(error.name).toBe('FileDiffersError')
  expect(server.seen.length).toBe(before)
})

test('what another account began is refused', async () => {
  const { begin, resumption } = await breakOff()

  const error = await failureOf(begin(fileOf(bytes), { resumption, accountKey: new Uint8Array(32).fill(9) }))

  expect(error.message).toBe('Another key wrapped this file key')
})

test('what the server has but nobody remembers sealing is sent again', async () => {
  const { server, begin, chunksSent, resumption } = await breakOff()
  const journal = await journalInMemory(resumption.kept)
  const known = await resumption.journal.imprints()
  for (const [index, imprints] of known) if (index !== 0) await journal.note(index, imprints.slice())

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
] as const)(
  'an upload has no more chunks than its file, whatever the server says, which %s',
  async (_, received, end) => {
    const { server, begin, resumption, parts } = await breakOff()
    parts.fault = ({ path, method }) => {
      if (!path.startsWith('/api/uploads/') || method !== 'GET') return undefined
      const sizes = { size: bytes.length, chunkSize: 8 * megabyte, totalChunks: 3, expiresAt: 1 }
      return Response.json({ success: true, uploadId: '', originalName: '', encryptedFileKey: '', ...sizes, received })
    }

    expect(await begin(fileOf(bytes), { resumption }).finished).toMatchObject(end)

    if (end.status === 'done') expect(await storedDigest(server)).toBe(digestOf(bytes))
  },
)

test('what this device believes to have sent counts for nothing when the server lacks it', async () => {
  const { server, begin, chunksSent, resumption } = await breakOff()
  server.uploads.clear()

  const end = await begin(fileOf(bytes), { resumption }).finished

  expect(end.status).toBe('done')
  expect(chunksSent().slice(3).sort()).toEqual([0, 1, 2])
  expect(await storedDigest(server)).toBe(digestOf(bytes))
})

test('an upload whose finishing went unheard turns out to be done', async () => {
  const made = startParts(({ path }) => (path === '/api/complete-chunk-upload' ? 'stuck' : undefined))
  const upload = made.begin(fileOf(bytes))
  await settle(() => made.server.stored.size === 1)
  upload.suspend()
  await upload.finished
  made.parts.fault = undefined
  const resumption = upload.resumption() as Resumption

  const end = await made.begin(fileOf(bytes), { resumption }).finished

  expect(end).toEqual({ status: 'done', fileId: [...made.server.stored.keys()][0] })
  expect(made.chunksSent()).toHaveLength(3)
  expect(made.server.stored.size).toBe(1)
})

test('FIL-05 an upload that failed for want of the network goes on where it stopped', async () => {
  const made = startParts((seen) => (seen.path === chunkPath && chunkIndex(seen) === 2 ? 'cut' : undefined))
  const upload = made.begin(fileOf(bytes))
  const error = await failureOf(upload)
  made.parts.fault = undefined
  const before = made.chunksSent().length

  const end = await made.begin(fileOf(bytes), { resumption: upload.resumption() as Resumption }).finished

  expect(error.message).toBe('Chunk 2 failed after 3 attempts')
  expect(end.status).toBe('done')
  expect(made.chunksSent().slice(before)).not.toContain(0)
  expect(await storedDigest(made.server)).toBe(digestOf(bytes))
})

test('nothing is left to go on with once an upload is done, cancelled or refused for good', async () => {
  const ended: string[] = []
  const openJournal: StartUpload['openJournal'] = async (kept) => {
    const journal = await journalInMemory(kept)
    return { ...journal, end: async () => void ended.push(kept.uploadId) }
  }
  const full = { success: false, code: 'STORAGE_LIMIT', error: 'Storage limit reached' }
  const done = startParts()
  const refused = startParts(({ path }) => (path === chunkPath ? Response.json(full, { status: 413 }) : undefined))
  const cancelled = startParts(({ path }) => (path === chunkPath ? 'hang' : undefined))

  const uploads = [done, refused, cancelled].map(({ begin }) => begin(fileOf(bytes), { openJournal }))
  await settle(() => cancelled.chunksSent().length > 0)
  uploads[2]?.cancel()
  const ends = await Promise.all(uploads.map(({ finished }) => finished))

  expect(ends.map(({ status }) => status)).toEqual(['done', 'failed', 'cancelled'])
  expect(uploads.map((upload) => upload.resumption())).toEqual([null, null, null])
  expect(new Set(ended).size).toBe(3)
})

test('F25 while the line is closed nothing is tried, and no attempt is used up', async () => {
  const line = createSubject(true)
  const made = startParts((seen) => {
    if (seen.path !== chunkPath || chunkIndex(seen) !== 1 || !line.current()) return undefined
    queueMicrotask(() => line.set(false))
    return 'hang'
  })
  const upload = made.begin(fileOf(bytes), { line })
  await settle(() => !line.current())
  await made.clock.leap(3_600_000)
  const paused = upload.current()
  const sentBefore = made.chunksSent().length
  made.parts.fault = undefined

  line.set(true)
  const end = await upload.finished

  expect(paused).toMatchObject({ status: 'sending', isPaused: true })
  expect(end.status).toBe('done')
  expect(made.clock.waits.filter((wait) => wait < 10_000)).toEqual([])
  expect(made.chunksSent().length - sentBefore).toBeLessThanOrEqual(3)
  const [first, second] = made.server.seen.filter((seen) => seen.path === chunkPath && chunkIndex(seen) === 1)
  expect(digestOf(second?.body ?? new Uint8Array())).toBe(digestOf(first?.body ?? new Uint8Array()))
})

/** Lets everything else run until a point is reached; the test's own time limit ends a wait in vain. */
async function settle(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setImmediate(resolve))
}

test('a small file that was noted while it waited goes up under its note, and is known by it afterwards', async () => {
  const { server, begin } = startParts()
  const file = fileOf(patternBytes(700_001))
  const upload = await prepareUpload({ file, accountKey })
  const noted = { upload, kept: keptOf(upload), journal: await journalInMemory(keptOf(upload)) }

  const end = await begin(file, { noted: Promise.resolve(noted) }).finished
  const again = await begin(file, { resumption: noted }).finished

  expect(end.status).toBe('done')
  expect(again).toEqual(end)
  expect(server.seen.filter(({ path }) => path === '/api/upload')).toHaveLength(1)
  expect([...server.stored.values()].map(({ envelope }) => envelope)).toEqual([upload.envelope])
})

test('a small file that was noted and never arrived goes up at another attempt', async () => {
  const { server, begin } = startParts()
  const file = fileOf(patternBytes(700_001))
  const kept = keptOf(await prepareUpload({ file, accountKey }))

  const end = await begin(file, { resumption: { kept, journal: await journalInMemory(kept) } }).finished

  expect(end.status).toBe('done')
  expect(await storedDigest(server)).toBe(digestOf(patternBytes(700_001)))
})
