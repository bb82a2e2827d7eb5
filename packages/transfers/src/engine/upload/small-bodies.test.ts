import type { RecordedRequest } from '@sallyport/client/testing/file-server'
import { accountKey, openStoredFile, patternBytes } from '@sallyport/client/testing/files'
import { expect, test } from 'vitest'
import { fileOf } from '../../testing/files.ts'
import { failureOf, startUploads } from '../../testing/uploads.ts'
import { planInChunks, restorePlan } from './plan.ts'
import { prepareUpload, toPersistedUpload } from './prepare-upload.ts'
import { reopenUpload } from './reopen-upload.ts'
import { createTransportSelector } from './transport.ts'

const megabyte = 1024 * 1024
const recordBytes = 512 * 1024

/** A proxy that answers longer bodies itself, as nginx does. */
const rejectLongerThan = (limit: number) => (request: RecordedRequest) =>
  request.body.length > limit
    ? new Response('<html>413 Request Entity Too Large</html>', {
        status: 413,
        headers: { 'content-type': 'text/html' },
      })
    : undefined

test.for([
  ['a file in chunks', 9 * megabyte + 7],
  ['a small file, which is usually one request', 3 * megabyte],
] as const)('FIL-04 after a proxy has answered 413, %s is sent record by record', async ([, bytes]) => {
  const { server, begin, chunkRequests } = startUploads({ fault: rejectLongerThan(megabyte) })
  const content = patternBytes(bytes)

  const end = await begin(fileOf(content)).finished

  expect(end.status).toBe('done')
  const accepted = chunkRequests().filter(({ body }) => body.length <= megabyte)
  expect(accepted).toHaveLength(Math.ceil(bytes / recordBytes))
  expect(new Set(accepted.map(({ headers }) => headers.get('x-chunk-size')))).toEqual(new Set([String(recordBytes)]))
  expect(server.stored.size).toBe(1)
  const [stored] = server.stored.values()
  expect((await openStoredFile(stored as never)).bytes).toEqual(content)
})

test('FIL-04 an upload that follows on the same page begins with single records', async () => {
  const transports = createTransportSelector()
  const { begin, server } = startUploads({ fault: rejectLongerThan(megabyte), transports })
  await begin(fileOf(patternBytes(3 * megabyte))).finished
  const rejected = () => server.requests.filter(({ body }) => body.length > megabyte).length
  const before = rejected()

  const end = await begin(fileOf(patternBytes(9 * megabyte))).finished

  expect(end.status).toBe('done')
  expect(rejected()).toBe(before)
})

test('FIL-09 if even a single record is rejected, the upload fails with an error of its own and can be retried', async () => {
  const { server, begin } = startUploads({ fault: rejectLongerThan(megabyte / 4) })
  const upload = begin(fileOf(patternBytes(6 * megabyte)))

  expect(await failureOf(upload)).toMatchObject({ code: 'UPLOAD_BODY_REJECTED', cause: { status: 413 } })
  expect(upload.resumption()).not.toBeNull()
  expect(server.stored.size).toBe(0)
})

test('FIL-06 a small file whose upload in single records was interrupted is resumed in single records', async () => {
  const file = fileOf(patternBytes(3 * megabyte))
  const prepared = await prepareUpload({ file, rootKey: accountKey })
  const { header } = prepared.keys
  const persisted = toPersistedUpload({ ...prepared, plan: planInChunks(header, recordBytes) })

  const reopened = await reopenUpload(persisted, { file, rootKey: accountKey })

  expect(reopened.plan).toMatchObject({ isSingle: false, chunkBytes: recordBytes, chunkCount: 6 })
  expect(restorePlan(header, prepared.plan.chunkBytes, { allowSingleRequest: true }).isSingle).toBe(true)
})
