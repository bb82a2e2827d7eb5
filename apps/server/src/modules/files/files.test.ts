import { expect } from 'vitest'
import { sealFile } from '../../testing/clients/sealed-file.ts'
import { onAnyDatabase } from '../../testing/engines/databases.ts'
import { randomUploadId, startFileServer } from '../../testing/servers/file-server.ts'

const recordBytes = 64 * 1024

onAnyDatabase('FIL-06 FIL-12 FIL-14 a file uploaded in chunks is listed and downloads unchanged', async (stage) => {
  const { createUser, sendChunk, complete, call } = await startFileServer(stage)
  const ann = await createUser()
  const file = await sealFile({ plainBytes: 5 * recordBytes + 7, chunkBytes: 2 * recordBytes })
  const uploadId = randomUploadId()

  const answers = []
  for (const index of [0, 1, 2]) answers.push((await sendChunk(ann, { file, uploadId, index })).statusCode)
  const completed = await complete(ann, { file, uploadId })
  const { fileId } = completed.json()
  const list = (await call(ann, 'GET', '/api/files')).json()
  const key = (await call(ann, 'GET', `/api/file/${fileId}/key`)).json()
  const download = await call(ann, 'GET', `/api/download/${fileId}`)

  expect(answers).toEqual([200, 200, 200])
  expect(completed.statusCode).toBe(200)
  expect(list.files).toEqual([
    {
      id: fileId,
      originalName: file.name,
      size: file.plain.length,
      createdAt: expect.any(Number),
      expiresAt: list.files[0].createdAt + 60 * 60_000,
      encryptedFileKey: file.envelope,
      downloads: 0,
      shared: false,
    },
  ])
  expect(key.encryptedFileKey).toBe(file.envelope)
  expect(download.rawPayload.equals(file.sealed)).toBe(true)
  expect(download.headers).toMatchObject({
    'content-length': String(file.sealed.length),
    'x-chunk-size': String(recordBytes),
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="${file.name}"`,
    'content-type': 'application/octet-stream',
    'cache-control': 'no-store',
  })
})
