import { digestOf } from '@sallyport/client/testing/file-server'
import { openStoredFile, patternBytes } from '@sallyport/client/testing/files'
import { until } from '@sallyport/client/testing/until'
import { expect, test } from 'vitest'
import { fileOf } from '../../testing/files.ts'
import { chunkIndex, onChunk, startUploads } from '../../testing/uploads.ts'

const megabyte = 1024 * 1024

test('FIL-04 a small file is uploaded in one request and decrypts to the same bytes and name', async () => {
  const { server, begin } = startUploads()
  const bytes = patternBytes(700_001)

  const end = await begin(fileOf(bytes)).finished

  expect(server.requests.map(({ path }) => path)).toEqual(['/api/upload'])
  const [file] = [...server.stored.values()]
  expect(end).toEqual({ status: 'done', fileId: file?.id })
  const opened = await openStoredFile(file as never)
  expect(opened).toMatchObject({ name: 'holiday.txt', mimeType: 'text/plain', lastModified: 1_700_000_000_000 })
  expect(digestOf(opened.bytes)).toBe(digestOf(bytes))
})

test('FIL-04 a file of 20 MB is uploaded in chunks of 8 MB and decrypts to the same bytes', async () => {
  const { server, begin, workers, chunkRequests } = startUploads()
  const bytes = patternBytes(20 * megabyte + 5)

  const end = await begin(fileOf(bytes)).finished

  expect(end.status).toBe('done')
  const chunks = chunkRequests()
  expect(chunks.map(chunkIndex).sort()).toEqual([0, 1, 2])
  expect(chunks.map(({ headers }) => headers.get('x-chunk-size'))).toEqual(Array(3).fill(String(8 * megabyte)))
  const [file] = [...server.stored.values()]
  expect(digestOf((await openStoredFile(file as never)).bytes)).toBe(digestOf(bytes))
  expect(workers.closed).toBe(workers.opened)
})

test('FIL-04 at most 3 requests are in flight', async () => {
  let inFlight = 0
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const { begin } = startUploads({
    fault: onChunk(() => {
      inFlight += 1
      return released
    }),
  })
  const upload = begin(fileOf(patternBytes(49 * megabyte)))
  await until(() => inFlight === 3, 'three chunks are in flight')
  for (let round = 0; round < 100; round += 1) await new Promise((resolve) => setImmediate(resolve))

  const inFlightBefore = inFlight
  release()

  expect(inFlightBefore).toBe(3)
  expect((await upload.finished).status).toBe('done')
  expect(inFlight).toBe(7)
})

test('FIL-04 a worker that retains request bodies handles at most 64 MB', async () => {
  const { begin, workers } = startUploads()

  const end = await begin(fileOf(patternBytes(150 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(workers.opened).toBeGreaterThanOrEqual(3)
  expect(workers.closed).toBe(workers.opened)
})

test('FIL-04 workers that retain no request bodies are used for the whole file', async () => {
  const { begin, workers } = startUploads({ leavesCopies: () => false })

  const end = await begin(fileOf(patternBytes(150 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(workers).toEqual({ opened: 2, closed: 2 })
})

test('T028 an empty file is uploaded as its 28 sealed bytes', async () => {
  const { server, begin } = startUploads()

  const end = await begin(fileOf(new Uint8Array(0), 'empty')).finished

  expect(end.status).toBe('done')
  const [file] = [...server.stored.values()]
  expect(file?.bytes.length).toBe(28)
  expect((await openStoredFile(file as never)).bytes.length).toBe(0)
})

test('a chosen lifetime is sent with every request that may create the file', async () => {
  const { server, begin, chunkRequests } = startUploads()

  await begin(fileOf(patternBytes(9 * megabyte)), { expirationMinutes: 30 }).finished

  const chunks = chunkRequests()
  expect(chunks.map(({ headers }) => headers.get('x-file-expiration-minutes'))).toEqual(['30', '30'])
  const last = server.requests.at(-1)
  expect(JSON.parse(new TextDecoder().decode(last?.body))).toMatchObject({ fileExpirationMinutes: 30, totalChunks: 2 })
})

test('FIL-02 progress is published every 250 ms and never decreases', async () => {
  const { begin, clock, server } = startUploads({
    fault: onChunk((seen) => (chunkIndex(seen) === 2 ? 'hang' : undefined)),
  })
  const upload = begin(fileOf(patternBytes(20 * megabyte)))
  const published: number[] = []
  upload.subscribe(() => {
    const state = upload.current()
    if (state.status === 'sending') published.push(state.sentBytes)
  })
  await until(() => server.requests.length === 3, 'three requests were sent')
  await clock.advance(1000)

  const state = upload.current()

  expect(published.length).toBeGreaterThanOrEqual(4)
  expect(published).toEqual([...published].sort((a, b) => a - b))
  expect(state).toMatchObject({ status: 'sending', phase: 'encrypted', totalBytes: 20 * megabyte })
  expect(state.status === 'sending' && state.sentBytes).toBe(16 * megabyte)
  upload.cancel()
  await upload.finished
})
