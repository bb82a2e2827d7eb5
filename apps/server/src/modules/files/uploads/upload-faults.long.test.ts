import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../platform/db/open.ts'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { chunkHeaders, randomUploadId, storedObjects, waitUntil } from '../../../testing/servers/file-server.ts'
import { startWholeServer } from '../../../testing/servers/whole-server.ts'

const hour = 3_600_000

test('T141 chunks get 402 after the licence expires, and the upload continues after it is renewed', async () => {
  const server = await startWholeServer()
  const { db, close } = await openDatabase({ databaseUrl: undefined, folder: server.folder, onError: () => undefined })
  const { accessToken, userId } = await server.createMember()
  const file = await sealFile({ plainBytes: 3 * 64 * 1024 })
  const uploadId = randomUploadId()
  const send = async (index: number) => {
    const headers = { authorization: `Bearer ${accessToken}`, ...chunkHeaders(file, { uploadId, index }) }
    const body = new Uint8Array(file.chunks[index] ?? [])
    const answer = await fetch(`${server.url}/api/upload-chunk`, { method: 'POST', headers, body })
    return [answer.status, ((await answer.json()) as { code?: string }).code]
  }
  const endLicence = (expiresAt: number) =>
    db.updateTable('licences').set({ expires_at: expiresAt }).where('user_id', '=', userId).execute()
  const stored = () => storedObjects(join(server.folder, 'volumes', 'main')).length
  expect(await send(0)).toEqual([200, undefined])

  await endLicence(Date.now() - hour)
  // The server caches a licence for up to 5 seconds.
  await waitUntil(async () => (await send(1))[0] !== 200)
  const storedBefore = stored()
  const rejected = await send(2)
  await endLicence(Date.now() + hour)
  await waitUntil(async () => (await send(2))[0] === 200)

  expect(rejected).toEqual([402, 'UPGRADE_REQUIRED'])
  expect([storedBefore, stored()]).toEqual([2, 3])
  await close()
  await server.stop()
})
