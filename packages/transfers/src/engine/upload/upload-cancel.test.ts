import { patternBytes } from '@sallyport/client/testing/files'
import { until } from '@sallyport/client/testing/until'
import { expect, test } from 'vitest'
import { fileOf } from '../../testing/files.ts'
import { chunkIndex, onChunk, startUploads } from '../../testing/uploads.ts'

const megabyte = 1024 * 1024

test('FIL-08 cancelling an upload in progress aborts every request and deletes the upload', async () => {
  const { begin, server, chunkRequests } = startUploads({
    fault: onChunk((seen) => (chunkIndex(seen) >= 2 ? 'hang' : undefined)),
  })
  const upload = begin(fileOf(patternBytes(40 * megabyte)))
  await until(() => server.uploads.size === 1 && chunkRequests().length === 5, 'five chunks were sent')

  upload.cancel()

  expect(upload.current()).toEqual({ status: 'cancelled' })
  expect(await upload.finished).toEqual({ status: 'cancelled' })
  const hanging = chunkRequests().filter((seen) => chunkIndex(seen) >= 2)
  expect(hanging.map(({ signal }) => signal?.aborted)).toEqual([true, true, true])
  expect(server.uploads.size).toBe(0)
  expect(server.stored.size).toBe(0)
})

test('FIL-08 cancelling during completion deletes the file that the upload became', async () => {
  const { begin, server } = startUploads({
    skipUpTo: 10_000,
    fault: ({ path }, count) => (path === '/api/complete-chunk-upload' && count === 1 ? 'stuck' : undefined),
  })
  const upload = begin(fileOf(patternBytes(6 * megabyte)))
  await until(() => server.stored.size === 1, 'the file is stored')

  upload.cancel()

  expect(await upload.finished).toEqual({ status: 'cancelled' })
  expect(server.stored.size).toBe(0)
})

test('FIL-08 cancelling a small file that had arrived deletes it', async () => {
  const { begin, server } = startUploads({
    skipUpTo: 10_000,
    fault: ({ path }) => (path === '/api/upload' ? 'stuck' : undefined),
  })
  const upload = begin(fileOf(patternBytes(10)))
  await until(() => server.stored.size === 1, 'the file is stored')

  upload.cancel()
  await upload.finished

  expect(server.stored.size).toBe(0)
})

test('FIL-08 cancelling an ended upload changes nothing', async () => {
  const { begin, server } = startUploads()
  const upload = begin(fileOf(patternBytes(10)))
  await upload.finished

  upload.cancel()

  expect(upload.current().status).toBe('done')
  expect(server.stored.size).toBe(1)
})
