import { expect, test } from 'vitest'
import * as yauzl from 'yauzl'
import type { Connection } from '../call.ts'
import { createFileServer, digestOf, type Fault } from '../testing/file-server.ts'
import { accountKey, patternBytes, sealedFile } from '../testing/files.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { type ArchiveDownload, startArchiveDownload } from './archive-download.ts'
import { createArchiveLane } from './archive-lane.ts'
import type { ArchiveTarget } from './archive-target.ts'

const recordBytes = 64 * 1024
const sealedRecord = recordBytes + 28
const allFiles = '/api/download-all'

interface Setting {
  readonly contents?: Readonly<Record<string, Uint8Array<ArrayBuffer>>>
  readonly fault?: Fault
  readonly accessToken?: Connection['accessToken']
  readonly passUpTo?: number
}

const threeFiles = {
  'first.bin': patternBytes(5 * recordBytes + 7),
  'empty.txt': new Uint8Array(0),
  'last.bin': patternBytes(3 * recordBytes),
}

async function startParts({ contents = threeFiles, fault, accessToken, passUpTo = 60_000 }: Setting = {}) {
  const clock = createManualClock({ passUpTo })
  const server = createFileServer(fault)
  const ids: string[] = []
  for (const [name, bytes] of Object.entries(contents)) {
    const file = await sealedFile(bytes, { name: name.replace(/#\d$/, '') })
    ids.push(server.store(file.name, file.envelope, file.bytes))
  }
  const target = createTestTarget()
  const fetch = server.fetch as typeof globalThis.fetch
  const connection = { baseUrl: 'http://server.test', accessToken: accessToken ?? (async () => 'token'), fetch, clock }
  const begin = (key = accountKey): ArchiveDownload<Uint8Array> =>
    startArchiveDownload({
      connection,
      accountKey: key,
      openLane: () => createArchiveLane({ openTarget: async () => target, fetch, clock }),
    })
  const asked = () => server.seen.map(({ path, headers }) => [path.split('/').at(-1), headers.get('range')])
  const damage = (id: string, record: number) =>
    server.stored.get(id)?.bytes.fill(0, record * sealedRecord + 50, record * sealedRecord + 60)
  return { clock, server, ids, target, begin, asked, damage }
}

/** A target one can look into. */
function createTestTarget() {
  let content = new Uint8Array(0)
  const target: ArchiveTarget<Uint8Array> & { state: 'open' | 'closed' | 'aborted'; content(): Uint8Array } = {
    place: 'memory',
    state: 'open',
    content: () => content,
    write(bytes, position) {
      if (position > content.length) throw new Error('Written out of order')
      const grown = new Uint8Array(Math.max(content.length, position + bytes.length))
      grown.set(content)
      grown.set(bytes, position)
      content = grown
    },
    cut(length) {
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

/** Waits until a file is stuck, another one than before. */
async function untilStuck(download: ArchiveDownload<unknown>, before?: string) {
  for (;;) {
    const state = download.current()
    if (state.status === 'stuck' && state.fileName !== before) return state
    if (state.status === 'failed') throw state.error
    if (state.status === 'done') throw new Error('Nothing was stuck')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function failureOf(download: ArchiveDownload<unknown>): Promise<Error> {
  const end = await download.finished
  if (end.status !== 'failed') throw new Error(`The download ended as ${end.status}`)
  return end.error
}

test('FIL-16 all files come as one plain archive, asked for by one call', async () => {
  const { begin, target, asked } = await startParts()

  const end = await begin().finished

  expect(end).toMatchObject({ status: 'done', leftOut: [] })
  expect(target.state).toBe('closed')
  expect(await readArchive(target.content())).toEqual(digestsOf(threeFiles))
  expect(asked()).toEqual([['download-all', null]])
})

test('FIL-16 an account without files gets an empty archive', async () => {
  const { begin, target } = await startParts({ contents: {} })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect((await readArchive(target.content())).size).toBe(0)
})

test('T155 equal names and names that lead elsewhere become harmless and different ones', async () => {
  const names = ['../../etc/passwd', 'report.pdf', 'Report.PDF', 'C:\\autoexec.bat', 'report.pdf#1', 'con']
  const contents = Object.fromEntries(names.map((name, at) => [name, patternBytes(at + 1)]))
  const { begin, target } = await startParts({ contents })

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

test('an archive that breaks off is taken up at the next record, file by file', async () => {
  const { begin, target, asked, ids } = await startParts({
    fault: ({ path }) => (path === allFiles ? { breakAfter: 2500 + 2 * sealedRecord } : undefined),
  })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(await readArchive(target.content())).toEqual(digestsOf(threeFiles))
  const [first, ...later] = asked().slice(1)
  expect([first?.[0], first?.[1]]).toEqual([ids[0], expect.stringMatching(/^bytes=\d+-/)])
  expect(later).toEqual(ids.slice(1).map((id) => [id, null]))
})

test('T156 a file that cannot be opened is told by its name, and going on without it saves the others', async () => {
  const { begin, target, ids, damage } = await startParts()
  damage(ids[0] ?? '', 4)
  const download = begin()

  const stuck = await untilStuck(download)
  const before = target.state
  download.leaveOut()
  const end = await download.finished

  expect(stuck).toMatchObject({ fileName: 'first.bin', error: new Error('Failed to decrypt chunk 4') })
  expect(before).toBe('open')
  expect(end).toMatchObject({ status: 'done', leftOut: ['first.bin'] })
  const { 'first.bin': _, ...others } = threeFiles
  expect(await readArchive(target.content())).toEqual(digestsOf(others))
})

test('T156 a file that was deleted in the middle is told by its name, and stopping there leaves nothing', async () => {
  const { begin, target, server, ids } = await startParts({
    fault: ({ path }) => (path === allFiles ? { endAfter: 2500 + 2 * sealedRecord } : undefined),
  })
  const download = begin()
  while (server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve))
  server.stored.delete(ids[2] ?? '')

  const stuck = await untilStuck(download)
  download.cancel()

  expect(stuck).toMatchObject({ fileName: 'last.bin', error: { message: 'File not found' } })
  expect(await download.finished).toEqual({ status: 'cancelled' })
  expect([target.state, target.content().length]).toEqual(['aborted', 0])
})

test('a file that fails can be tried once more', async () => {
  const { begin, target, server } = await startParts({
    fault: ({ path }, count) => {
      if (path === allFiles) return { endAfter: 2500 }
      return path.startsWith('/api/download/') && count <= 4 ? new Response('', { status: 502 }) : undefined
    },
  })
  const download = begin()

  const stuck = await untilStuck(download)
  download.tryAgain()
  const next = await untilStuck(download, stuck.fileName)
  download.leaveOut()
  await untilStuck(download, next.fileName)
  download.tryAgain()
  const end = await download.finished

  expect([stuck.error.message, stuck.fileName, next.fileName]).toEqual([
    'Download failed: 502',
    'first.bin',
    'empty.txt',
  ])
  expect(end).toMatchObject({ status: 'done', leftOut: ['empty.txt'] })
  expect([...(await readArchive(target.content())).keys()]).toEqual(['first.bin', 'last.bin'])
  expect(server.seen.length).toBe(1 + 5 + 4 + 5)
})

test('FIL-17 files sealed under another account key are told so', async () => {
  const { begin } = await startParts()

  const stuck = await untilStuck(begin(new Uint8Array(32).fill(9)))

  expect(stuck).toMatchObject({ fileName: 'Unreadable name', error: { message: 'File encryption key not found' } })
})

test('FIL-16 an hour without an end suggests to download files individually, and leaves nothing behind', async () => {
  const { begin, clock, target, asked } = await startParts({
    passUpTo: 10_000,
    fault: ({ path }) => (path === allFiles ? { endAfter: 2500 } : 'hang'),
  })
  const download = begin()
  while (asked().length < 2) await new Promise((resolve) => setImmediate(resolve))

  await clock.leap(3_600_000)

  expect((await failureOf(download)).message).toContain('Try downloading the files individually.')
  expect(target.state).toBe('aborted')
})

test('FIL-17 a cancelled archive leaves nothing behind', async () => {
  const { begin, target, asked, server } = await startParts({
    fault: ({ path }) => (path === allFiles ? { endAfter: 2500 } : 'hang'),
  })
  const download = begin()
  while (asked().length < 2) await new Promise((resolve) => setImmediate(resolve))

  download.cancel()

  expect(await download.finished).toEqual({ status: 'cancelled' })
  expect([target.state, target.content().length]).toEqual(['aborted', 0])
  expect(server.seen.at(-1)?.signal?.aborted).toBe(true)
})

for (const [what, fault, message] of [
  ['a server that refuses', () => new Response('', { status: 500 }), 'Download failed: 500'],
  ['a server that cannot be reached', () => 'cut' as const, 'Download failed due to network error'],
  ['an answer that is no archive', () => new Response('<html>'), 'Invalid response from server'],
] as const) {
  test(`FIL-17 ${what} fails the whole in its own words`, async () => {
    const { begin, target } = await startParts({ fault })

    expect((await failureOf(begin())).message).toBe(message)
    expect(target.content().length).toBe(0)
  })
}

test('a bearer token that ran out is renewed once', async () => {
  const accessToken = async (turnedDown?: string) => (turnedDown === undefined ? 'stale' : 'token')
  const { begin, server } = await startParts({ accessToken })

  const end = await begin().finished

  expect(end.status).toBe('done')
  expect(server.seen.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer stale', 'Bearer token'])
})
