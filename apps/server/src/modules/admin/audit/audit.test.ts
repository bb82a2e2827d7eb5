import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { apiError } from '../../../errors.ts'
import { isSqlite } from '../../../platform/db/dialect.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { BackupError } from '../backup/backup-error.ts'
import { UsageError } from '../options.ts'
import { createAuditStore } from './audit.store.ts'
import { type AuditEntry, createAudit } from './audit.ts'
import { createAuditCheck } from './audit-check.ts'

const key = randomBytes(32)
const entry: AuditEntry = {
  actorId: '01890a5d-ac96-774b-bcce-b302099a8057',
  actorKind: 'admin',
  action: 'user.promote',
  subjectId: '01890a5d-ac96-774b-bcce-b302099a8058',
  details: { days: 3 },
}

const createTestAudit = (db: Database, now = () => Date.now()) => createAudit({ store: createAuditStore(db), key, now })

const rowsOf = (db: Database) => db.selectFrom('admin_audit').selectAll().orderBy('seq').execute()

/** A log of this many rows whose triggers are removed. */
async function createUnprotectedLog({ db, now }: Stage, rows: number) {
  const audit = createTestAudit(db, now)
  for (let row = 1; row <= rows; row++) await audit.run({ ...entry, details: { row } }, async () => undefined)
  if (isSqlite(db)) {
    for (const name of ['update', 'delete', 'replace'])
      await sql`drop trigger ${sql.id(`admin_audit_no_${name}`)}`.execute(db)
  } else await sql`alter table admin_audit disable trigger user`.execute(db)
  const { head } = (await audit.verify()) as { head: { seq: number; hash: string } }
  return { audit, head }
}

onBothDatabases('an action and its row are committed together', async ({ db, now }) => {
  const audit = createTestAudit(db, now)

  const result = await audit.run(entry, async (transaction) => {
    await transaction.insertInto('secret_fingerprints').values({ name: 'a', fingerprint: 'b' }).execute()
    return 'result'
  })

  expect(result).toBe('result')
  expect(await db.selectFrom('secret_fingerprints').select('name').execute()).toEqual([{ name: 'a' }])
  expect(await rowsOf(db)).toEqual([
    {
      seq: 1,
      at: now(),
      actor_id: entry.actorId,
      actor_kind: 'admin',
      action: 'user.promote',
      subject_id: entry.subjectId,
      outcome: 'done',
      details: '{"days":3}',
      previous_hash: 'A'.repeat(43),
      hash: expect.stringMatching(/^[\w-]{43}$/),
    },
  ])
})

onBothDatabases('a refused or failed action is rolled back and has a row with its code', async ({ db }) => {
  const audit = createTestAudit(db)
  const errors = [
    apiError('LAST_ADMIN'),
    new UsageError('The last admin', 'LAST_ADMIN'),
    apiError('UNAVAILABLE'),
    new BackupError('no-space', 'ann@example.org'),
    new BackupError('failed', 'ann@example.org', 'BACKUP_STOPPED'),
    new Error('ann@example.org'),
  ]

  for (const error of errors) {
    const inside = audit.run(entry, async (transaction) => {
      await transaction.insertInto('secret_fingerprints').values({ name: 'a', fingerprint: 'b' }).execute()
      throw error
    })
    await expect(inside).rejects.toBe(error)
    await expect(audit.runOutside(entry, () => Promise.reject(error))).rejects.toBe(error)
  }

  expect(await db.selectFrom('secret_fingerprints').select('name').execute()).toEqual([])
  const rows = (await rowsOf(db)).map(({ outcome, details }) => [outcome, JSON.parse(details).code])
  expect(rows).toEqual([
    ...Array(4).fill(['refused', 'LAST_ADMIN']),
    ...Array(2).fill(['failed', 'UNAVAILABLE']),
    ...Array(2).fill(['failed', 'BACKUP_NO_SPACE']),
    ...Array(2).fill(['failed', 'BACKUP_STOPPED']),
    ...Array(2).fill(['failed', 'INTERNAL']),
  ])
  expect(await audit.verify()).toMatchObject({ ok: true, count: 12 })
})

onBothDatabases('an action whose row cannot be appended is rolled back', async (stage) => {
  const { db } = stage
  const { audit } = await createUnprotectedLog(stage, 1)
  await sql`drop table admin_audit`.execute(db)
  let runs = 0

  const inside = audit.run(entry, async (transaction) => {
    await transaction.insertInto('secret_fingerprints').values({ name: 'a', fingerprint: 'b' }).execute()
  })
  await expect(inside).rejects.toThrow('admin_audit')
  const outside = audit.runOutside(entry, async () => void runs++)
  await expect(outside).rejects.toThrow('admin_audit')

  expect(await db.selectFrom('secret_fingerprints').select('name').execute()).toEqual([])
  expect(runs).toBe(0)
})

onBothDatabases('email addresses and other free text are rejected before the action runs', async ({ db }) => {
  const audit = createTestAudit(db)
  let runs = 0
  const action = async () => void runs++

  for (const change of [
    { details: { reason: 'ann@example.org' } },
    { details: { reason: 'two words' } },
    { details: { reason: 'x'.repeat(65) } },
    { subjectId: 'ann@example.org' },
    { actorId: '' },
  ]) {
    await expect(audit.run({ ...entry, ...change }, action)).rejects.toThrow(TypeError)
    await expect(audit.runOutside({ ...entry, ...change }, action)).rejects.toThrow(TypeError)
  }

  expect(runs).toBe(0)
  expect(await rowsOf(db)).toEqual([])
})

onBothDatabases('T230 the database refuses to update, replace and delete rows', async ({ db }) => {
  const audit = createTestAudit(db)
  await audit.run(entry, async () => undefined)
  const [row] = await rowsOf(db)
  if (!row) throw new Error('No row')
  const changed = { ...row, outcome: 'failed' }

  const attempts = [
    () => db.updateTable('admin_audit').set({ outcome: 'failed' }).execute(),
    () => db.deleteFrom('admin_audit').execute(),
    () =>
      db
        .insertInto('admin_audit')
        .values(changed)
        .onConflict((conflict) => conflict.column('seq').doUpdateSet(changed))
        .execute(),
    () =>
      isSqlite(db)
        ? sql`insert or replace into admin_audit select * from admin_audit`.execute(db)
        : sql`truncate admin_audit`.execute(db),
  ]

  for (const attempt of attempts) await expect(attempt()).rejects.toThrow('admin_audit is append-only')
  expect(await rowsOf(db)).toEqual([row])
})

onBothDatabases('T230 50 concurrent appends from two connections give one unbroken chain', async (stage) => {
  const second = await openDatabase({ ...stage, onError: () => undefined })
  const audits = [createTestAudit(stage.db), createTestAudit(second.db)]

  const appends = Array.from({ length: 50 }, (_, index) =>
    audits[index % 2]?.run({ ...entry, details: { index } }, async () => undefined),
  )
  await Promise.all(appends)

  const rows = await rowsOf(stage.db)
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  expect(new Set(rows.map(({ details }) => details)).size).toBe(50)
  for (const audit of audits) expect(await audit.verify()).toMatchObject({ ok: true, count: 50 })
  await second.close()
})

const setText = (column: 'action' | 'outcome' | 'details' | 'actor_id' | 'subject_id') => (db: Database) =>
  db
    .updateTable('admin_audit')
    .set({ [column]: 'changed' })
    .where('seq', '=', 4)
    .execute()

/** Moves a row; the position is the primary key. */
const move = (db: Database, from: number, to: number) =>
  db.updateTable('admin_audit').set({ seq: to }).where('seq', '=', from).execute()

const manipulations: Readonly<Record<string, [(db: Database) => Promise<unknown>, string]>> = {
  'an edited action': [setText('action'), 'row-changed 4'],
  'an edited outcome': [setText('outcome'), 'row-changed 4'],
  'edited details': [setText('details'), 'row-changed 4'],
  'an edited actor': [setText('actor_id'), 'row-changed 4'],
  'an edited subject': [setText('subject_id'), 'row-changed 4'],
  'an edited time': [(db) => sql`update admin_audit set at = at + 1 where seq = 4`.execute(db), 'row-changed 4'],
  'a huge time': [(db) => sql`update admin_audit set at = 9007199254740993 where seq = 4`.execute(db), 'row-changed 4'],
  'a removed subject': [
    (db) => db.updateTable('admin_audit').set({ subject_id: null }).where('seq', '=', 4).execute(),
    'row-changed 4',
  ],
  'an edited hash of the row before': [
    (db) => sql`update admin_audit set previous_hash = hash where seq = 4`.execute(db),
    'row-changed 4',
  ],
  'a deleted row': [(db) => db.deleteFrom('admin_audit').where('seq', '=', 4).execute(), 'rows-missing 5'],
  'a deleted row whose position was closed': [
    async (db) => {
      await db.deleteFrom('admin_audit').where('seq', '=', 4).execute()
      for (const seq of [5, 6, 7, 8]) await move(db, seq, seq - 1)
    },
    'row-changed 4',
  ],
  'an inserted row': [
    async (db) => {
      for (const seq of [8, 7, 6, 5, 4]) await move(db, seq, seq + 1)
      await sql`
        insert into admin_audit select 4, at, actor_id, actor_kind, action, subject_id, outcome, details, previous_hash, hash
        from admin_audit where seq = 3
      `.execute(db)
    },
    'row-changed 4',
  ],
  'an appended row': [
    (db) =>
      sql`
        insert into admin_audit select 9, at, actor_id, actor_kind, action, subject_id, outcome, details, hash, hash
        from admin_audit where seq = 8
      `.execute(db),
    'row-changed 9',
  ],
  'a row before the first': [(db) => move(db, 8, 0), 'start-missing 0'],
  'two swapped rows': [
    async (db) => {
      await move(db, 4, 100)
      await move(db, 6, 4)
      await move(db, 100, 6)
    },
    'row-changed 4',
  ],
  'a missing start': [(db) => db.deleteFrom('admin_audit').where('seq', '<=', 3).execute(), 'start-missing 4'],
  'a missing end': [(db) => db.deleteFrom('admin_audit').where('seq', '>=', 7).execute(), 'end-missing 7'],
  'no rows': [(db) => db.deleteFrom('admin_audit').execute(), 'end-missing 1'],
}

for (const [title, [manipulate, expected]] of Object.entries(manipulations))
  onBothDatabases(`T230 verify finds ${title} and names the row`, async (stage) => {
    const { audit, head } = await createUnprotectedLog(stage, 8)

    await manipulate(stage.db)

    for (const batch of [3, 10_000]) {
      const result = await audit.verify({ batch, expectedHead: head })
      expect(result.ok ? 'ok' : `${result.reason} ${result.seq}`).toBe(expected)
    }
  })

onBothDatabases('T230 verify finds a log that was rewritten with the key, and rows of another log', async (stage) => {
  const { audit, head } = await createUnprotectedLog(stage, 3)
  const [, , third] = await rowsOf(stage.db)
  await stage.db.deleteFrom('admin_audit').execute()
  for (let row = 1; row <= 4; row++) await audit.run({ ...entry, details: { row: -row } }, async () => undefined)

  expect(await audit.verify()).toMatchObject({ ok: true, count: 4 })
  expect(await audit.verify({ expectedHead: head })).toEqual({ ok: false, seq: 3, reason: 'other-row' })

  await stage.db
    .updateTable('admin_audit')
    .set(third ?? {})
    .where('seq', '=', 3)
    .execute()
  expect(await audit.verify()).toEqual({ ok: false, seq: 3, reason: 'row-unlinked' })
})

onBothDatabases('T230 verify rejects every row for another key', async (stage) => {
  await createTestAudit(stage.db).run(entry, async () => undefined)
  const audit = createAudit({ store: createAuditStore(stage.db), key: randomBytes(32), now: stage.now })

  expect(await audit.verify()).toEqual({ ok: false, seq: 1, reason: 'row-changed' })
})

onBothDatabases('export yields all rows and the head, against which verify finds a missing end', async (stage) => {
  const { audit, head } = await createUnprotectedLog(stage, 1005)

  const lines = await Array.fromAsync(audit.export())
  const exported = JSON.parse(lines.at(-1) ?? '').head

  expect(lines).toHaveLength(1006)
  expect(JSON.parse(lines[0] ?? '')).toEqual((await rowsOf(stage.db))[0])
  expect(exported).toEqual(head)
  expect(await audit.verify({ expectedHead: exported })).toEqual({ ok: true, count: 1005, head })
  await stage.db.deleteFrom('admin_audit').where('seq', '>', 1000).execute()
  expect(await audit.verify()).toMatchObject({ ok: true, count: 1000 })
  expect(await audit.verify({ expectedHead: exported })).toEqual({ ok: false, seq: 1001, reason: 'end-missing' })
})

onBothDatabases('an empty log is intact', async ({ db }) => {
  const audit = createTestAudit(db)
  const head = { seq: 0, hash: 'A'.repeat(43) }

  expect(await audit.verify()).toEqual({ ok: true, count: 0, head })
  expect(await Array.fromAsync(audit.export())).toEqual([JSON.stringify({ head })])
})

onBothDatabases('T230 the daily check logs the head, and later finds that the end is missing', async (stage) => {
  const { audit, head } = await createUnprotectedLog(stage, 3)
  const lines: unknown[][] = []
  const log = { info: (...line: unknown[]) => lines.push(line), error: (...line: unknown[]) => lines.push(line) }
  const check = createAuditCheck({ audit, log: log as never, now: () => 5 })

  expect(await check.latest()).toEqual({ at: 5, broken_at: null })
  await stage.db.deleteFrom('admin_audit').where('seq', '=', 3).execute()
  await check.job.run()

  expect(await check.latest()).toEqual({ at: 5, broken_at: 3 })
  expect(lines).toEqual([
    [head, 'the audit log is intact'],
    [{ seq: 3, reason: 'end-missing' }, 'the audit log was manipulated'],
  ])
})
