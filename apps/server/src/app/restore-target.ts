import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createAuditStore } from '../modules/admin/audit/audit.store.ts'
import { createAudit } from '../modules/admin/audit/audit.ts'
import { listFiles, summarizeDatabase } from '../modules/admin/backup/copied-tables.store.ts'
import { type PostgresTools, restoreDatabase } from '../modules/admin/backup/postgres-tools.ts'
import type { RestoreTarget } from '../modules/admin/backup/restore.ts'
import {
  endAllAccess,
  listVolumeIds,
  moveToVolume,
  removeClockReadings,
  removeOpenUploads,
  requireNoTables,
  writeSqliteFile,
} from '../modules/admin/backup/restored-database.store.ts'
import type { RestoredDatabase } from '../modules/admin/backup/restored-database.ts'
import { removeFiles } from '../modules/files/uploads/removals.store.ts'
import { migrate } from '../platform/db/migrate.ts'
import { databaseFile, openDatabase } from '../platform/db/open.ts'
import { requireSameSecrets, requireSecretFiles } from '../secret-fingerprints.store.ts'
import { openSecret } from '../secrets.ts'

const filesPerRemoval = 200

/** The database that a backup is restored into: the embedded one of a folder, or the one at this address. */
export function restoreTarget(databaseUrl: string | undefined, tools: PostgresTools): RestoreTarget {
  const open = (folder: string) => openDatabase({ databaseUrl, folder, onError: () => undefined, skipMigrations: true })
  return {
    engine: databaseUrl === undefined ? 'sqlite' : 'postgres',
    async requireEmpty() {
      if (databaseUrl === undefined) return
      const { db, close } = await open('.')
      await requireNoTables(db).finally(close)
    },
    restore: (bytes: Readable, folder) =>
      databaseUrl === undefined
        ? writeSqliteFile(join(folder, databaseFile), bytes)
        : restoreDatabase(tools, databaseUrl, bytes),
    open: async (folder) => createRestoredDatabase(await open(folder)),
  }
}

function createRestoredDatabase({ db, clock, close }: Awaited<ReturnType<typeof openDatabase>>): RestoredDatabase {
  return {
    async requireTables(expected) {
      const { tables } = await summarizeDatabase(db)
      const different = [...new Set([...Object.keys(expected), ...Object.keys(tables)])].filter(
        (name) => expected[name] !== tables[name],
      )
      if (different.length === 0) return
      const counts = different.map((name) => `${name} ${tables[name] ?? 0} instead of ${expected[name] ?? 0}`)
      throw new Error(`The restored database has other rows than the manifest says: ${counts.join(', ')}`)
    },
    migrate: () => migrate(db),
    listVolumeIds: () => listVolumeIds(db),
    moveToVolume: (from, to) => moveToVolume(db, from, to),
    listFiles: () => listFiles(db),
    async removeFiles(ids) {
      for (let first = 0; first < ids.length; first += filesPerRemoval) {
        const batch = ids.slice(first, first + filesPerRemoval)
        await removeFiles(db, (files) => files.where('id', 'in', batch))
      }
    },
    async finish(secretsFolder) {
      await requireSecretFiles(db, secretsFolder)
      const key = openSecret(secretsFolder, 'audit')
      await requireSameSecrets(db, secretsFolder, ['audit'])
      const audit = createAudit({ store: createAuditStore(db), key, now: clock.now })
      const entry = { actorId: null, action: 'backup.restored', subjectId: null, details: {} }
      return audit.run({ ...entry, actorKind: 'command-line' }, async (transaction) => {
        await removeClockReadings(transaction)
        return {
          authSessions: await endAllAccess(transaction, clock.now()),
          openUploads: await removeOpenUploads(transaction),
        }
      })
    },
    close,
  }
}
