import { expect } from 'vitest'
import { createLogger } from '../../../platform/http/logger.ts'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { onFileServerWithBothDatabases, randomUploadId } from '../../../testing/servers/file-server.ts'
import { createStorageCheckStore } from './storage-check.store.ts'
import { createStorageCheck } from './storage-check.ts'

onFileServerWithBothDatabases(
  'wrongly booked storage is corrected and logged, and correct bookings are left unchanged',
  async (server) => {
    const { createUser, store, sendChunk, call, db } = server
    const [ann, bob] = [await createUser(), await createUser()]
    for (const user of [ann, bob]) {
      await store(user, await sealFile({ plainBytes: 1000 }))
      await sendChunk(user, { file: await sealFile({ plainBytes: 70_000 }), uploadId: randomUploadId(), index: 0 })
      const cancelled = randomUploadId()
      await sendChunk(user, { file: await sealFile({ plainBytes: 500 }), uploadId: cancelled, index: 0 })
      await call(user, 'DELETE', `/api/uploads/${cancelled}`)
    }
    await db
      .updateTable('storage_use')
      .set({ used_bytes: 7, reserved_bytes: 90_000 })
      .where('user_id', '=', ann)
      .execute()
    const log: string[] = []
    const logger = createLogger('info', { write: (line: string) => void log.push(line) })
    const check = createStorageCheck({ store: createStorageCheckStore(db), log: logger })

    await check.run(new AbortController().signal)
    await check.run(new AbortController().signal)

    const use = await db.selectFrom('storage_use').select(['used_bytes', 'reserved_bytes']).execute()
    expect(use).toEqual([
      { used_bytes: 1000, reserved_bytes: 70_000 },
      { used_bytes: 1000, reserved_bytes: 70_000 },
    ])
    expect(log).toHaveLength(1)
    expect(JSON.parse(log[0] ?? '')).toMatchObject({ drift: { userId: ann, usedBytes: 993, reservedBytes: -20_000 } })
  },
)
