import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { ServerContext } from '../context.ts'
import type { AdminsStore } from '../modules/admin/admins.store.ts'
import type { Audit } from '../modules/admin/audit/audit.ts'
import type { LimitReads } from '../modules/admin/limit-reads.ts'
import { backupRoutes } from '../modules/admin/maintenance/backup.routes.ts'
import { type BackupTarget, createBackupService } from '../modules/admin/maintenance/backup.service.ts'
import { runBackupProcess } from '../modules/admin/maintenance/backup-process.ts'
import { createLatestBackup, findLatestRun } from '../modules/admin/maintenance/latest-backup.ts'
import type { RequireProof } from '../modules/admin/require-proof.ts'
import { removeInterruptedBackup } from './backup-locks.ts'
import { volumeFolders } from './volume-folders.ts'

interface MountBackupOptions {
  readonly admins: Pick<AdminsStore, 'isAdmin'>
  readonly audit: Audit
  readonly limitReads: LimitReads
  readonly requireProof: RequireProof
  /** The environment of the server. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

const commandEntry = fileURLToPath(new URL('../admin.ts', import.meta.url))

/** What the tools of PostgreSQL and its driver read apart from the address of the database. */
const inheritedNames = /^(PATH|HOME|NODE_EXTRA_CA_CERTS|PG[A-Z]+)$/

/** Mounts the calls that make a backup, and the metric of its age. A running backup is stopped with the server. */
export async function mountBackup(app: FastifyInstance, context: ServerContext, options: MountBackupOptions) {
  const { admins, audit, limitReads, requireProof, environment } = options
  const target = await createTarget(context, environment)
  if (target) context.metrics.registerBackup(async () => (await target.latest.find()).latest?.time ?? null, context.now)
  const backups = createBackupService({ ...context, target, admins, audit })
  app.addHook('onClose', backups.close)
  backupRoutes(app, { backups, limitReads, requireProof })
}

async function createTarget(
  { config, folder: dataFolder, now }: ServerContext,
  environment: MountBackupOptions['environment'],
): Promise<BackupTarget | null> {
  const { BACKUP_DIR, BACKUP_TO } = config
  if (BACKUP_DIR === undefined) return null
  const recipients = BACKUP_TO.filter((entry) => entry !== 'plain')
  if (recipients.length > 0) await requireKeys(recipients)
  const folder = resolve(BACKUP_DIR)
  const keys = recipients.length > 0 ? recipients.flatMap((recipient) => ['--to', recipient]) : ['--plain']
  const childEnvironment = createChildEnvironment(config, dataFolder, environment)
  return {
    folder,
    isSealed: recipients.length > 0,
    latest: createLatestBackup({ findLatest: () => findLatestRun(folder, now()), now }),
    runProcess: (input) =>
      runBackupProcess({
        ...input,
        entry: commandEntry,
        args: ['backup', folder, ...keys, '--from-server'],
        environment: childEnvironment,
      }),
    removeInterrupted: () => removeInterruptedBackup({ folder, dataFolder }),
  }
}

/** Throws unless all of these are public keys of age. The library takes a while to load, so only where it is used. */
async function requireKeys(recipients: readonly string[]): Promise<void> {
  const { requireRecipients } = await import('../modules/admin/backup/age.ts')
  try {
    requireRecipients(recipients)
  } catch (error) {
    throw new Error(`BACKUP_TO: ${(error as Error).message}`)
  }
}

/** The settings that a backup reads, and no other secret of the server. */
function createChildEnvironment(
  config: Config,
  dataFolder: string,
  environment: MountBackupOptions['environment'],
): Record<string, string> {
  const inherited = Object.entries(environment).filter(([name]) => inheritedNames.test(name))
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    DATA_DIR: dataFolder,
    VOLUMES: volumeFolders(config, dataFolder).join(','),
    BACKUP_DAYS: String(config.BACKUP_DAYS),
    ...(config.DATABASE_URL !== undefined && { DATABASE_URL: config.DATABASE_URL }),
  }
}
