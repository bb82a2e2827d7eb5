import { expect, test } from 'vitest'
import { digestOf } from '../testing/file-server.ts'
import { fileOf, openStored, patternBytes } from '../testing/files.ts'
import { chunkIndex, onChunk, settle, startUploads } from '../testing/uploads.ts'

const megabyte = 1024 * 1024

test('FIL-04 a small file goes up in one request and opens to the same bytes and name', async () => {
  const { server, begin } = startUploads()
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
  const { server, begin, lanes, chunkRequests } = startUploads()
  const bytes = patternBytes(20 * megabyte + 5)

  const end = await begin(fileOf(bytes)).finished

  expect(end.status).toBe('done')
  const chunks = chunkRequests()
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
  const { begin } = startUploads({
    fault: onChunk(() => {
      underWay += 1
      return gate
    }),
  })
  const upload = begin(fileOf(patternBytes(49 * megabyte)))
  await settle(() => underWay === 3)
  for (let round = 0; round < 100; round += 1) await new Promise((resolve) => setImmediate(resolve))

  const atOnce = underWay
  release()

  expect(atOnce).toBe(3)
  expect((await upload.finished).status).toBe('done')
  expect(underWay).toBe(7)
})

test('FIL-04 no lane that leaves copies in memory carries more than 64 MB', async () => {
  const { begin, lanes } = startUploads()

  const end = await begin(fileOf(patternBytes(150 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(lanes.opened).toBeGreaterThanOrEqual(3)
  expect(lanes.closed).toBe(lanes.opened)
})

test('FIL-04 lanes that leave no copies carry a file to its end', async () => {
  const { begin, lanes } = startUploads({ leavesCopies: () => false })

  const end = await begin(fileOf(patternBytes(150 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(lanes).toEqual({ opened: 2, closed: 2 })
})

test('T028 an empty file goes up as its 28 sealed bytes', async () => {
  const { server, begin } = startUploads()

  const end = await begin(fileOf(new Uint8Array(0), 'empty')).finished

  expect(end.status).toBe('done')
  const [file] = [...server.stored.values()]
  expect(file?.bytes.length).toBe(28)
  expect((await openStored(file as never)).bytes.length).toBe(0)
})

test('a chosen lifetime travels with every request that may open the file', async () => {
  const { server, begin, chunkRequests } = startUploads()

  await begin(fileOf(patternBytes(9 * megabyte)), { expirationMinutes: 30 }).finished

  const chunks = chunkRequests()
  expect(chunks.map(({ headers }) => headers.get('x-file-expiration-minutes'))).toEqual(['30', '30'])
  const last = server.seen.at(-1)
  expect(JSON.parse(new TextDecoder().decode(last?.body))).toMatchObject({ fileExpirationMinutes: 30, totalChunks: 2 })
})

test('FIL-02 progress is told every 250 ms and never goes back', async () => {
  const { begin, clock, server } = startUploads({
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
