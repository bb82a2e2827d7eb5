import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { isSqlite } from '../../../platform/db/dialect.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { createAuditStore } from './audit.store.ts'
import { createAudit } from './audit.ts'

onBothDatabases('an append that waits too long for another one rejects with UNAVAILABLE', async (stage) => {
  const { db, now } = stage
  const audit = createAudit({ store: createAuditStore(db), key: randomBytes(32), now })
  const entry = {
    actorId: null,
    actorKind: 'command-line',
    action: 'keys.rotate',
    subjectId: null,
    details: {},
  } as const
  const second = await openDatabase({ ...stage, onError: () => undefined })
  const ended = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const holder = second.db.transaction().execute(async (transaction) => {
    if (!isSqlite(transaction)) await sql`lock table admin_audit in share row exclusive mode`.execute(transaction)
    started.resolve()
    await ended.promise
  })
  await started.promise

  await expect(audit.run(entry, async () => undefined)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  ended.resolve()
  await holder
  await audit.run(entry, async () => undefined)

  expect(await audit.verify()).toMatchObject({ ok: true, count: 1 })
  await second.close()
})
