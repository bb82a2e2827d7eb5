import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type SentSignal, signalAdminProcess } from '../../../testing/servers/admin-command.ts'
import { createTestFolder } from '../../../testing/test-folder.ts'
import {
  addBallast,
  backUp,
  createFiles,
  onBothBackups,
  runsIn,
  stopPostgresAfterwards,
  withDatabase,
} from './testing/backup-stage.ts'

stopPostgresAfterwards()

onBothBackups('a backup that is interrupted removes its run and the plain draft of the database', async (stage) => {
  await createFiles(stage, [1000])
  await addBallast(stage)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const interrupted = await signalAdminProcess(
      stage.settings,
      { signal, after: 'Copying the database' },
      'backup',
      stage.folder,
      '--plain',
    )
    expect([interrupted.code, interrupted.stderr]).toEqual([1, expect.stringContaining(`Interrupted: ${signal}`)])
    expect([readdirSync(stage.folder), interrupted.stderr]).toEqual([['backup.lock'], interrupted.stderr])
    expect(existsSync(join(stage.dataFolder, 'backup-draft'))).toBe(false)
  }

  await backUp(stage)
  expect(runsIn(stage.folder)).toHaveLength(1)
  const rows = await withDatabase(stage, (db) =>
    db.selectFrom('admin_audit').select(['outcome', 'details']).orderBy('seq').execute(),
  )
  expect(rows.map(({ outcome, details }) => [outcome, JSON.parse(details).code])).toEqual([
    ['failed', 'BACKUP_STOPPED'],
    ['failed', 'BACKUP_STOPPED'],
    ['done', undefined],
  ])
})

onBothBackups('a drill that is interrupted removes its folder and its tables, and ends its server', async (stage) => {
  await createFiles(stage, [1000])
  await addBallast(stage)
  const run = await backUp(stage)
  const { databaseName } = await stage.createTarget()
  const args = ['drill', run, ...(databaseName === null ? [] : ['--database', databaseName])]
  const temporary = createTestFolder()
  const settings = { ...stage.settings, TMPDIR: temporary }
  const moments: readonly SentSignal[] = [
    { signal: 'SIGTERM', after: 'Restoring the database' },
    { signal: 'SIGTERM', after: 'Starting a server' },
    // With PostgreSQL, this begins only if the database is empty again.
    { signal: 'SIGINT', after: 'Checking the digests' },
  ]
  for (const moment of moments) {
    const interrupted = await signalAdminProcess(settings, moment, ...args)
    expect([moment.after, interrupted.code, interrupted.stderr]).toEqual([
      moment.after,
      1,
      expect.stringContaining(`Interrupted: ${moment.signal}`),
    ])
    expect([moment.after, readdirSync(temporary)]).toEqual([moment.after, []])
  }
})
