import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatBytes } from '@sallyport/contract/formats'
import { ignore } from '@sallyport/contract/ignore'
import { type Config, readConfig } from '../config.ts'
import { createAuditStore } from '../modules/admin/audit/audit.store.ts'
import { createAudit } from '../modules/admin/audit/audit.ts'
import { readIdentities } from '../modules/admin/backup/age.ts'
import { failureOf, toBackupError } from '../modules/admin/backup/backup-error.ts'
import { formatProcessMessage } from '../modules/admin/backup/backup-messages.ts'
import { type BackupOptions, parseBackupOptions } from '../modules/admin/backup/backup-options.ts'
import { findMigration } from '../modules/admin/backup/copied-tables.store.ts'
import { copyPostgres, copySqlite } from '../modules/admin/backup/database-copy.store.ts'
import { runDrill } from '../modules/admin/backup/drill.ts'
import { type FinishedBackup, makeBackup } from '../modules/admin/backup/make-backup.ts'
import { type RestoreResult, type RestoreTarget, restoreRun } from '../modules/admin/backup/restore.ts'
import { dropAllTables } from '../modules/admin/backup/restored-database.store.ts'
import type { PlacedAs } from '../modules/admin/backup/target-volumes.ts'
import { UsageError } from '../modules/admin/options.ts'
import { migrationNames } from '../platform/db/migrate.ts'
import { type OpenDatabase, openDatabase } from '../platform/db/open.ts'
import { volumeIdFile } from '../platform/storage/volumes.ts'
import { requireSecretFiles } from '../secret-fingerprints.store.ts'
import { openSecret } from '../secrets.ts'
import { withBackupLocks } from './backup-locks.ts'
import { readVersion } from './read-version.ts'
import { requireDatabase } from './require-database.ts'
import { restoreTarget } from './restore-target.ts'
import { volumeFolders } from './volume-folders.ts'

interface BackupCommandInput {
  readonly args: readonly string[]
  /** The settings of the server. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly print: (text: string) => Promise<void>
  readonly printError: (text: string) => void
  /** Aborted to interrupt the command, which then removes what it has begun. */
  readonly signal: AbortSignal
}

interface BackupCommand extends BackupCommandInput {
  readonly options: BackupOptions
  readonly config: Config
}

const serverEntry = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Runs `backup`, `restore` or `drill`. */
export async function runBackupCommand(input: BackupCommandInput): Promise<void> {
  const options = parseBackupOptions(input.args)
  const command = { ...input, options, config: readConfig(input.environment) }
  if (options.command === 'backup') return backUp(command).catch((error: unknown) => rejectBackup(command, error))
  return options.command === 'restore' ? restore(command) : drill(command)
}

async function backUp(command: BackupCommand): Promise<void> {
  const { options, config, print } = command
  const dataFolder = resolve(config.DATA_DIR)
  const folder = resolve(options.folder)
  requireDatabase(config, dataFolder)
  await withBackupLocks({ folder, dataFolder }, async () => {
    const databaseUrl = config.DATABASE_URL
    // A backup before an update must not be the update.
    const database = await openDatabase({
      databaseUrl,
      folder: dataFolder,
      onError: () => undefined,
      skipMigrations: true,
    })
    const { runFolder, manifest } = await runBackup(command, { ...database, folder, dataFolder }).finally(
      database.close,
    )
    if (options.isFromServer) return
    const { files, bytes } = manifest.objects
    const content = manifest.hasBytes ? `${files} files, ${formatBytes(bytes)}` : 'no objects'
    const skipped = manifest.skippedFiles > 0 ? `; ${manifest.skippedFiles} files had no bytes any more` : ''
    await print(`${runFolder}\nBacked up: ${content}${skipped}`)
  })
}

/** Rejects with the error; a server reads its reason first. */
async function rejectBackup({ options, print }: BackupCommand, error: unknown): Promise<never> {
  if (options.isFromServer) await print(formatProcessMessage({ failure: failureOf(error) }))
  throw error
}

interface BackupPlaces extends Pick<OpenDatabase, 'db' | 'clock'> {
  readonly folder: string
  readonly dataFolder: string
}

/** Makes a backup and records it in the audit log. */
async function runBackup(
  { options, config, environment, print, printError, signal }: BackupCommand,
  { db, clock, folder, dataFolder }: BackupPlaces,
): Promise<FinishedBackup> {
  const { now } = clock
  const url = config.DATABASE_URL
  const secretsFolder = join(dataFolder, 'secrets')
  await requireSecretFiles(db, secretsFolder)
  const run = async (): Promise<FinishedBackup> =>
    makeBackup({
      folder,
      secretsFolder,
      volumes: await findVolumes(config, dataFolder),
      engine: url === undefined ? 'sqlite' : 'postgres',
      version: readVersion(),
      recipients: options.recipients,
      copiesBytes: options.copiesBytes,
      days: config.BACKUP_DAYS,
      now,
      isTimeRight: () => clock.jump() === null,
      copyDatabase: (input) =>
        url === undefined
          ? copySqlite(dataFolder, input)
          : copyPostgres({ db, url, tools: { folder: options.postgresFolder, environment } }, input),
      report: printError,
      onProgress: (progress) => {
        if (options.isFromServer) print(formatProcessMessage({ progress })).catch(ignoreClosedPipe)
      },
      signal,
    })
  if (options.isFromServer) return run()
  if ((await findMigration(db)) !== migrationNames.at(-1)) {
    printError('The audit log does not record this backup, because the database is of another version')
    return run()
  }
  const audit = createAudit({ store: createAuditStore(db), key: openSecret(secretsFolder, 'audit'), now })
  const details = {
    database: options.recipients ? 'sealed' : 'plain',
    objects: options.copiesBytes ? 'copied' : 'listed',
  }
  return audit.runOutside(
    { actorId: null, actorKind: 'command-line', action: 'backup.made', subjectId: null, details },
    () =>
      run().catch((error: unknown) => {
        throw toBackupError(error, signal.aborted)
      }),
  )
}

/** The folders of the volumes by their ids; those that are not mounted are left out. */
async function findVolumes(config: Config, dataFolder: string): Promise<Map<string, string>> {
  const folders = volumeFolders(config, dataFolder).filter((path) => existsSync(join(path, volumeIdFile)))
  const ids = folders.map(async (path) => [(await readFile(join(path, volumeIdFile), 'utf8')).trim(), path] as const)
  return new Map(await Promise.all(ids))
}

async function restore(command: BackupCommand): Promise<void> {
  const { config, options, print } = command
  const dataFolder = resolve(options.into ?? '')
  const result = await restoreInto(command, {
    dataFolder,
    volumeFolders: volumeFolders(config, dataFolder),
    databaseUrl: config.DATABASE_URL,
    placedAs: 'link-or-copy',
  })
  await print(describeRestore(result, dataFolder))
}

async function drill(command: BackupCommand): Promise<void> {
  const { environment, options, print, printError, signal } = command
  const databaseUrl = drillDatabaseUrl(command)
  const { seconds, objects } = await runDrill({
    runFolder: resolve(options.folder),
    readsAll: options.readsAll,
    restore: (dataFolder, volumeFolder) =>
      restoreInto(command, { dataFolder, volumeFolders: [volumeFolder], databaseUrl, placedAs: 'symbolic-link' }),
    requireEmptyDatabase: () => targetOf(command, databaseUrl).requireEmpty(),
    async removeDatabase() {
      if (databaseUrl === undefined) return
      const folder = resolve(options.folder)
      const { db, close } = await openDatabase({ databaseUrl, folder, onError: () => undefined, skipMigrations: true })
      await dropAllTables(db).finally(close)
    },
    serverEntry,
    environment: { PATH: environment['PATH'], ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) },
    report: printError,
    signal,
  })
  await print(`The backup can be restored: ${objects} objects read, ${seconds.toFixed(1)} s`)
}

/** The database of a drill: next to the configured one, so that no password is on the command line. */
function drillDatabaseUrl({ config, options }: BackupCommand): string | undefined {
  if (config.DATABASE_URL === undefined) return undefined
  if (options.databaseName === null)
    throw new UsageError(
      'A drill with PostgreSQL expects --database NAME, an empty database on the server of DATABASE_URL',
    )
  const url = new URL(config.DATABASE_URL)
  url.pathname = `/${encodeURIComponent(options.databaseName)}`
  return url.href
}

interface RestoreDestination {
  readonly dataFolder: string
  readonly volumeFolders: readonly string[]
  readonly databaseUrl: string | undefined
  readonly placedAs: PlacedAs
}

async function restoreInto(command: BackupCommand, destination: RestoreDestination): Promise<RestoreResult> {
  const { options, printError, signal } = command
  const { databaseUrl, ...folders } = destination
  return restoreRun({
    ...folders,
    runFolder: resolve(options.folder),
    identities: options.identityFile === null ? [] : await readIdentities(options.identityFile),
    migrationNames,
    database: targetOf(command, databaseUrl),
    report: printError,
    signal,
  })
}

const targetOf = ({ options, environment }: BackupCommand, databaseUrl: string | undefined): RestoreTarget =>
  restoreTarget(databaseUrl, { folder: options.postgresFolder, environment })

function describeRestore(result: RestoreResult, dataFolder: string): string {
  const { manifest, removedFiles, authSessions, openUploads, seconds } = result
  const removed = removedFiles.map((id) => `  ${id}`)
  return [
    `Restored the backup of ${new Date(manifest.time).toISOString()} into ${dataFolder} in ${seconds.toFixed(1)} s`,
    `Ended: ${authSessions} signed-in devices, ${openUploads} open uploads, all tokens, codes, keys of the admin calls and queued emails.`,
    ...(removed.length > 0 ? [`Removed, because their bytes are missing: ${removed.length} files`, ...removed] : []),
    'Nothing undoes this: accounts, files and shares that were deleted since the backup are back, bans, passwords and second',
    'factors are those of that time, and the audit log ends there. Delete and ban again what has to be.',
  ].join('\n')
}

const ignoreClosedPipe = (error: unknown): void => ignore(error, 'a closed pipe interrupts the command')
