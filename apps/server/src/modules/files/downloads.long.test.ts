import { expect } from 'vitest'
import { beginDownload, sealLargeFile } from '../../testing/clients/paused-download.ts'
import { onFileServer, storedObjects, waitUntil } from '../../testing/servers/file-server.ts'
import { startStopwatch } from '../../testing/stopwatch.ts'

onFileServer('T157 the server stops reading within 2 s after the client disconnects', async (server) => {
  const { createUser, store, call, bytesFolder } = server
  const ann = await createUser()
  const fileId = await store(ann, await sealLargeFile())
  const { request } = await beginDownload(server, ann, fileId)
  await call(ann, 'DELETE', `/api/file/${fileId}`)
  expect(storedObjects(bytesFolder)).toHaveLength(40)

  const elapsed = await startStopwatch()
  request.destroy()
  await waitUntil(() => storedObjects(bytesFolder).length === 0)

  expect(elapsed()).toBeLessThan(2000)
})
