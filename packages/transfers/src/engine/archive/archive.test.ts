import type { Connection } from '@sallyport/client/call'
import { createFileServer, digestOf, type Fault } from '@sallyport/client/testing/file-server'
import { accountKey, patternBytes, sealedFile } from '@sallyport/client/testing/files'
import { createManualClock } from '@sallyport/client/testing/manual-clock'
import { until } from '@sallyport/client/testing/until'
import { expect, test } from 'vitest'
import * as yauzl from 'yauzl'
import { type ArchiveDownload, startArchiveDownload } from './archive-download.ts'
import type { ArchiveTarget } from './archive-target.ts'
import { createArchiveWorker } from './archive-worker.ts'

const recordBytes = 64 * 1024
const sealedRecord = recordBytes + 28
const allFiles = '/api/download-all'

interface HarnessOptions {
  readonly contents?: Readonly<Record<string, Uint8Array<ArrayBuffer>>>
  readonly fault?: Fault
  readonly getAccessToken?: Connection['getAccessToken']
  readonly passUpTo?: number
}

const threeFiles = {
  'first.bin': patternBytes(5 * recordBytes + 7),
  'empty.txt': new Uint8Array(0),
  'last.bin': patternBytes(3 * recordBytes),
}

async function startHarness({
  contents = threeFiles,
  fault,
  getAccessToken,
  passUpTo: skipUpTo = 60_000,
}: HarnessOptions = {}) {
  const clock = createManualClock({ skipUpTo })
  const server = createFileServer(fault)
  const ids: string[] = []
  for (const [name, bytes] of Object.entries(contents)) {
    const file = await sealedFile(bytes, { name: name.replace(/#\d$/, '') })
    ids.push(server.store(file.name, file.envelope, file.bytes))
  }
  const target = createTestTarget()
  const fetch = server.fetch as typeof globalThis.fetch
  const connection = {
    baseUrl: 'http://server.test',
    getAccessToken: getAccessToken ?? (async () => 'token'),
    fetch,
    clock,
  }
  const begin = (key = accountKey): ArchiveDownload<Uint8Array> =>
    startArchiveDownload({
      connection,
      accountKey: key,
      createWorker: () => createArchiveWorker({ openTarget: async () => target, fetch, clock }),
    })
  const listRequests = () => server.requests.map(({ path, headers }) => [path.split('/').at(-1), headers.get('range')])
  const damage = (id: string, record: number) =>
    server.stored.get(id)?.bytes.fill(0, record * sealedRecord + 50, record * sealedRecord + 60)
  return { clock, server, ids, target, begin, listRequests, damage }
}

/** A target with readable content. */
function createTestTarget() {
  let content = new Uint8Array(0)
  const target: ArchiveTarget<Uint8Array> & { state: 'open' | 'closed' | 'aborted'; content(): Uint8Array } = {
    storage: 'memory',
    state: 'open',
    content: () => content,
    write(bytes, position) {
      if (position > content.length) throw new Error('Written out of order')
      const grown = new Uint8Array(Math.max(content.length, position + bytes.length))
      grown.set(content)
      grown.set(bytes, position)
      content = grown
    },
    truncate(length) {
      content = content.slice(0, length)
    },
    async close() {
      target.state = 'closed'
      return content
    },
    async abort() {
      target.state = 'aborted'
      content = new Uint8Array(0)
    },
  }
  return target
}

async function readArchive(bytes: Uint8Array): Promise<Map<string, string>> {
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes))
  const found = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    found.set(entry.fileName, digestOf(Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray())))
  }
  return found
}

const digestsOf = (contents: Readonly<Record<string, Uint8Array>>) =>
  new Map(Object.entries(contents).map(([name, bytes]) => [name, digestOf(bytes)]))

/** Waits until a file fails that is not the given one. */
async function waitForFailedFile(download: ArchiveDownload<unknown>, previousName?: string) {
  const find = () => {
    const state = download.current()
    if (state.status === 'failed') throw state.error
    if (state.status === 'done') throw new Error('No file failed')
    return state.status === 'stuck' && state.fileName !== previousName ? state : null
  }
  await until(() => find() !== null, 'a file failed')
  return find() ?? expect.fail('The file is no longer failed')
}

async function errorOf(download: ArchiveDownload<unknown>): Promise<Error> {
  const end = await download.finished
  if (end.status !== 'failed') throw new Error(`The download ended as ${end.status}`)
  return end.error
}

test('FIL-16 all files are saved as one plain archive with one request', async () => {
  const { begin, target, listRequests } = await startHarness()

  const end = await begin().finished

  expect(end).toMatchObject({ status: 'done', skipped: [] })
  expect(target.state).toBe('closed')
  expect(await readArchive(target.content())).toEqual(digestsOf(threeFiles))
  expect(listRequests()).toEqual([['download-all', null]])
})

test('200 small files among large ones come in their order with one request', async () => {
  const contents = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      `file-${index}.bin`,
      patternBytes(index % 70 === 0 ? 2 * recordBytes : index),
    ]),
  )
  const { begin, target, listRequests } = await startHarness({ contents })

  const end = await begin().finished

  expect(end).toMatchObject({ status: 'done', skipped: [] })
  expect([...(await readArchive(target.content()))]).toEqual([...digestsOf(contents)])
  expect(listRequests()).toEqual([['download-all', null]])
})

test('T156 a damaged small file is requested by itself, and those before it are saved once', async () => {
  const contents = { a: patternBytes(101), b: patternBytes(102), c: patternBytes(103) }
  const { begin, target, server, ids, listRequests } = await startHarness({ contents })
  server.stored.get(ids[1] ?? '')?.bytes.fill(0, 40, 50)
  const download = begin()

  const stuck = await waitForFailedFile(download)
  download.skip()
  const end = await download.finished

  expect(stuck).toMatchObject({ fileName: 'b', error: { code: 'RECORD_DAMAGED', index: 0 } })
  expect(end).toMatchObject({ status: 'done', skipped: ['b'] })
  expect([...(await readArchive(target.content()))]).toEqual([...digestsOf({ a: contents.a, c: contents.c })])
  expect(listRequests().map(([name]) => name)).toEqual(['download-all', ids[1], ids[2]])
})

test('FIL-16 an account without files gets an empty archive', async () => {
  const { begin, target } = await startHarness({ contents: {} })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect((await readArchive(target.content())).size).toBe(0)
})

test('T155 equal and unsafe names become unique and safe', async () => {
  const names = ['../../etc/passwd', 'report.pdf', 'Report.PDF', 'C:\\autoexec.bat', 'report.pdf#1', 'con']
  const contents = Object.fromEntries(names.map((name, index) => [name, patternBytes(index + 1)]))
  const { begin, target } = await startHarness({ contents })

  await begin().finished

  const read = await readArchive(target.content())
  expect([...read.keys()]).toEqual([
    'etc/passwd',
    'report.pdf',
    'Report (2).PDF',
    'C__autoexec.bat',
    'report (3).pdf',
    '_con',
  ])
  expect([...read.values()]).toEqual(Object.values(contents).map(digestOf))
})

test('a broken archive resumes at the next record, file by file', async () => {
  const { begin, target, listRequests, ids } = await startHarness({
    fault: ({ path }) => (path === allFiles ? { breakAfter: 2500 + 2 * sealedRecord } : undefined),
  })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(await readArchive(target.content())).toEqual(digestsOf(threeFiles))
  const [first, ...later] = listRequests().slice(1)
  expect([first?.[0], first?.[1]]).toEqual([ids[0], expect.stringMatching(/^bytes=\d+-/)])
  expect(later).toEqual(ids.slice(1).map((id) => [id, null]))
})

test('an archive whose connection breaks before the manifest is read is requested again', async () => {
  let attempts = 0
  const { begin, target } = await startHarness({
    fault({ path }) {
      if (path !== allFiles) return undefined
      attempts += 1
      return attempts === 1 ? { breakAfter: 100 } : undefined
    },
  })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(attempts).toBe(2)
  expect(await readArchive(target.content())).toEqual(digestsOf(threeFiles))
})

test('T156 a file that cannot be decrypted is named, and skipping it saves the others', async () => {
  const { begin, target, ids, damage } = await startHarness()
  damage(ids[0] ?? '', 4)
  const download = begin()

  const stuck = await waitForFailedFile(download)
  const stateBefore = target.state
  download.skip()
  const end = await download.finished

  expect(stuck).toMatchObject({ fileName: 'first.bin', error: { code: 'RECORD_DAMAGED', index: 4 } })
  expect(stateBefore).toBe('open')
  expect(end).toMatchObject({ status: 'done', skipped: ['first.bin'] })
  const { 'first.bin': _, ...others } = threeFiles
  expect(await readArchive(target.content())).toEqual(digestsOf(others))
})

test('T156 a file that was deleted meanwhile is named, and cancelling there leaves nothing', async () => {
  const { begin, target, server, ids } = await startHarness({
    fault: ({ path }) => (path === allFiles ? { endAfter: 2500 + 2 * sealedRecord } : undefined),
  })
  const download = begin()
  await until(() => server.requests.length > 0, 'a request was sent')
  server.stored.delete(ids[2] ?? '')

  const stuck = await waitForFailedFile(download)
  download.cancel()

  expect(stuck).toMatchObject({ fileName: 'last.bin', error: { status: 404 } })
  expect(await download.finished).toEqual({ status: 'cancelled' })
  expect([target.state, target.content().length]).toEqual(['aborted', 0])
})

test('FIL-17 a file whose bytes are lost is requested once and named, and skipping it saves the others', async () => {
  const body = { success: false, error: 'lost', code: 'FILE_BYTES_LOST' }
  const { begin, server } = await startHarness({
    fault: ({ path }) => {
      if (path === allFiles) return { endAfter: 2500 }
      return path.endsWith('1') ? Response.json(body, { status: 410 }) : undefined
    },
  })
  const download = begin()

  const stuck = await waitForFailedFile(download)
  download.skip()
  const end = await download.finished

  expect(stuck).toMatchObject({ fileName: 'first.bin', error: { status: 410, code: 'FILE_BYTES_LOST' } })
  expect(end).toMatchObject({ status: 'done', skipped: ['first.bin'] })
  expect(server.requests.filter(({ path }) => path.endsWith('1'))).toHaveLength(1)
})

test('a failed file can be retried', async () => {
  const { begin, target, server } = await startHarness({
    fault: ({ path }, count) => {
      if (path === allFiles) return { endAfter: 2500 }
      return path.startsWith('/api/download/') && count <= 4 ? new Response('', { status: 502 }) : undefined
    },
  })
  const download = begin()

  const stuck = await waitForFailedFile(download)
  download.retry()
  const next = await waitForFailedFile(download, stuck.fileName)
  download.skip()
  await waitForFailedFile(download, next.fileName)
  download.retry()
  const end = await download.finished

  expect(stuck.error).toMatchObject({ status: 502 })
  expect([stuck.fileName, next.fileName]).toEqual(['first.bin', 'empty.txt'])
  expect(end).toMatchObject({ status: 'done', skipped: ['empty.txt'] })
  expect([...(await readArchive(target.content())).keys()]).toEqual(['first.bin', 'last.bin'])
  expect(server.requests.length).toBe(1 + 5 + 4 + 5)
})

test('FIL-17 files sealed with another account key are reported', async () => {
  const { begin } = await startHarness()

  const stuck = await waitForFailedFile(begin(new Uint8Array(32).fill(9)))

  expect(stuck).toMatchObject({ fileName: 'Unreadable name', error: { code: 'FILE_KEY_MISSING' } })
})

test('FIL-16 the timeout after an hour has a code of its own and leaves nothing behind', async () => {
  const { begin, clock, target, listRequests } = await startHarness({
    passUpTo: 10_000,
    fault: ({ path }) => (path === allFiles ? { endAfter: 2500 } : 'hang'),
  })
  const download = begin()
  await until(() => listRequests().length >= 2, 'two requests were sent')

  await clock.advanceInOneStep(3_600_000)

  expect(await errorOf(download)).toMatchObject({ code: 'ARCHIVE_TIMEOUT' })
  expect(target.state).toBe('aborted')
})

test('FIL-17 a cancelled archive leaves nothing behind', async () => {
  const { begin, target, listRequests, server } = await startHarness({
    fault: ({ path }) => (path === allFiles ? { endAfter: 2500 } : 'hang'),
  })
  const download = begin()
  await until(() => listRequests().length >= 2, 'two requests were sent')

  download.cancel()

  expect(await download.finished).toEqual({ status: 'cancelled' })
  expect([target.state, target.content().length]).toEqual(['aborted', 0])
  expect(server.requests.at(-1)?.signal?.aborted).toBe(true)
})

for (const [subject, fault, expected] of [
  ['a server error', () => new Response('', { status: 500 }), { name: 'ApiError', status: 500 }],
  ['an unreachable server', () => 'cut' as const, { name: 'NetworkError' }],
  ['a response that is not an archive', () => new Response('<html>'), { code: 'INVALID_RESPONSE' }],
] as const) {
  test(`FIL-17 ${subject} fails the archive with its own error`, async () => {
    const { begin, target } = await startHarness({ fault })

    expect(await errorOf(begin())).toMatchObject(expected)
    expect(target.content().length).toBe(0)
  })
}

test('an expired bearer token is renewed once', async () => {
  const getAccessToken = async (rejectedToken?: string) => (rejectedToken === undefined ? 'stale' : 'token')
  const { begin, server } = await startHarness({ getAccessToken })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(server.requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer stale', 'Bearer token'])
})
