import { createFileServer, digestOf, type Fault } from '@sallyport/client/testing/file-server'
import { accountKey, patternBytes, sealedFile } from '@sallyport/client/testing/files'
import { createManualClock } from '@sallyport/client/testing/manual-clock'
import { createFileHeader } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createTestSink } from '../../testing/files.ts'
import { createDecryptWorker } from './decrypt-worker.ts'
import { startDownload } from './download.ts'
import { ownFileSource } from './own-file-source.ts'
import { planDownload, type RecordRange } from './plan.ts'
import type { Sink } from './sink.ts'

const recordBytes = 64 * 1024
const sealedRecord = recordBytes + 28
const bytes = patternBytes(10 * recordBytes + 7)

/** Downloads into a sink that already has some of the records. */
async function download(writtenRecords: readonly RecordRange[], fault: Fault = () => undefined) {
  const server = createFileServer((seen, count) => (seen.path.includes('download') ? fault(seen, count) : undefined))
  const clock = createManualClock({ skipUpTo: 60_000 })
  const file = await sealedFile(bytes, { recordBytes })
  const id = server.store(file.name, file.envelope, file.bytes)
  const inner = createTestSink({ isSeekable: true, room: bytes.length })
  for (const { first, end } of writtenRecords) {
    const position = first * recordBytes
    await inner.write(bytes.slice(position, end * recordBytes), position, new Uint8Array(28))
  }
  let isSuspended = false
  const sink: Sink<Uint8Array> = {
    ...inner,
    write: inner.write,
    writtenRecords,
    async suspend() {
      isSuspended = true
    },
  }
  const fetch = server.fetch as typeof globalThis.fetch
  const connection = { baseUrl: 'http://server.test', getAccessToken: async () => 'token', fetch, clock }
  const createWorker = async (keys: typeof file.keys) => createDecryptWorker({ keys, sink, fetch, clock })
  const download = startDownload({
    source: ownFileSource({ id, originalName: file.name, accountKey }),
    connection,
    createWorker,
  })
  const progress: number[] = []
  download.subscribe(() => {
    const state = download.current()
    if (state.status === 'receiving') progress.push(state.receivedBytes)
  })
  const end = await download.finished
  const ranges = server.requests
    .filter(({ path }) => path.includes('/download/'))
    .map(({ headers }) => headers.get('range'))
  return { end, ranges, progress, inner, isLeft: () => isSuspended }
}

test('FIL-14 only missing records are fetched, and the written ones count as received', async () => {
  const { end, ranges, progress, inner } = await download([
    { first: 0, end: 4 },
    { first: 6, end: 7 },
  ])

  expect(end.status).toBe('done')
  expect(digestOf(inner.content())).toBe(digestOf(bytes))
  expect(ranges.sort()).toEqual([
    `bytes=${4 * sealedRecord}-${6 * sealedRecord - 1}`,
    `bytes=${7 * sealedRecord}-${10 * sealedRecord + 7 + 28 - 1}`,
  ])
  expect(progress[0]).toBe(5 * recordBytes)
})

test('FIL-14 a file whose records are all written is not requested', async () => {
  const { end, ranges } = await download([{ first: 0, end: 11 }])

  expect([end.status, ranges]).toEqual(['done', []])
})

test('FIL-17 records are kept after a network error and when the server is busy', async () => {
  for (const fault of ['cut', new Response('', { status: 503 })] as const) {
    const { end, isLeft } = await download([], () => (fault === 'cut' ? fault : fault.clone()))

    expect([end.status, isLeft()]).toEqual(['failed', true])
  }
})

test('FIL-17 nothing is kept of a damaged or deleted file', async () => {
  for (const status of [200, 404, 410]) {
    const { end, isLeft, inner } = await download([], () => new Response('', { status }))

    expect([end.status, isLeft(), inner.state]).toEqual(['failed', false, 'aborted'])
  }
})

test('FIL-14 the missing records of a large file are fetched in parts', () => {
  const header = createFileHeader({ kind: 'personal', plainBytes: 200 * 1024 * 1024 })

  const parts = planDownload(header, [{ first: 10, end: 300 }])

  expect(parts).toEqual([
    { first: 0, end: 10 },
    { first: 300, end: 400 },
  ])
  expect(planDownload(header).map(({ first }) => first)).toEqual([0, 128, 256, 384])
})
