import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BackupStep } from '@sallyport/contract/admin-backup'
import { formatBytes } from '@sallyport/contract/formats'
import { syncFolder } from '../../../platform/storage/volume.ts'
import { BackupError } from './backup-error.ts'
import type { DatabaseSummary } from './copied-tables.store.ts'
import { type BackupPart, type Manifest, runNameOf, writeManifest } from './manifest.ts'
import { formatObjectList, type ListedFile, readObjectList } from './object-list.ts'
import { addFile, openPool, poolFolder, requireMounted, syncPool } from './object-pool.ts'
import { writePart } from './parts.ts'
import { removeIncompleteRuns, removeOldRuns, removeUnlistedObjects } from './remove-old-runs.ts'

interface MakeBackupInput {
  /** The folder of all runs. */
  readonly folder: string
  readonly secretsFolder: string
  /** The folders of the open volumes by their ids. */
  readonly volumes: ReadonlyMap<string, string>
  readonly engine: Manifest['engine']
  readonly version: string
  readonly recipients: readonly string[] | null
  readonly copiesBytes: boolean
  readonly days: number
  readonly now: () => number
  /** False while the clock may be wrong, so that no run is too old by it. */
  readonly isTimeRight: () => boolean
  /** Copies the database, and writes the list of its files to this path. */
  readonly copyDatabase: (input: {
    readonly consume: (bytes: Readable) => Promise<BackupPart>
    readonly listPath: string
  }) => Promise<DatabaseSummary & { readonly part: BackupPart }>
  /** Receives a sentence now and then. */
  readonly report: (text: string) => void
  /** Receives every step, and while files are copied their number so far, at most four times a second. */
  readonly onProgress: (progress: BackupProgress) => void
  /** Aborted to stop the backup, which then removes what it has begun. */
  readonly signal: AbortSignal
}

export interface BackupProgress {
  readonly step: BackupStep
  readonly files: number
  /** Null until the database is copied. */
  readonly totalFiles: number | null
}

export interface FinishedBackup {
  readonly runFolder: string
  readonly manifest: Manifest
}

const concurrentFiles = 16
const reportEveryMs = 5000
const progressEveryMs = 250

/**
 * Makes one run: the database, the secrets, the objects, and last the manifest. Then removes what is too old. Needs the
 * lock of the folder.
 */
export async function makeBackup(input: MakeBackupInput): Promise<FinishedBackup> {
  const { folder, now, report } = input
  const time = now()
  const runFolder = join(folder, runNameOf(time))
  await removeIncompleteRuns(folder)
  await mkdir(join(runFolder, 'secrets'), { recursive: true, mode: 0o700 })
  try {
    const manifest = await writeRun(input, runFolder, time)
    await syncFolder(folder)
    if (input.isTimeRight()) await removeOld(input)
    else report('No old run is removed: the clock was set. Confirm the time by: npm run admin -- confirm-clock')
    return { runFolder, manifest }
  } catch (error) {
    await removeIncompleteRuns(folder)
    throw error
  }
}

async function removeOld({ folder, days, now, report }: MakeBackupInput): Promise<void> {
  const runs = await removeOldRuns(folder, now() - days * 24 * 3_600_000)
  // The lists of all runs are read for this, so only once the objects of a run may be unlisted.
  const files = runs > 0 ? await removeUnlistedObjects(folder, report) : 0
  if (runs > 0) report(`Removed ${runs} old runs, and the objects of ${files} files that no run lists any more`)
}

async function writeRun(input: MakeBackupInput, runFolder: string, time: number): Promise<Manifest> {
  const { engine, version, recipients, copiesBytes, copyDatabase, report, onProgress, signal } = input
  const draftList = join(runFolder, 'objects.draft')
  report('Copying the database')
  onProgress({ step: 'database', files: 0, totalFiles: null })
  const { part: database, ...summary } = await copyDatabase({
    listPath: draftList,
    consume: (bytes) =>
      writePart({
        runFolder,
        kind: 'database',
        name: engine === 'sqlite' ? 'database.db' : 'database.pgdump',
        bytes,
        // A dump is compressed already.
        compress: engine === 'sqlite',
        recipients,
        signal,
      }),
  })
  report(`Copied the database: ${formatBytes(database.bytes)}`)
  const secrets = await copySecrets(input, runFolder)
  const objects = { files: 0, objects: 0, bytes: 0 }
  let skippedFiles = 0
  const totalFiles = summary.tables['files'] ?? null
  let countSentAt = 0
  function sendCount(): void {
    countSentAt = performance.now()
    onProgress({ step: 'objects', files: objects.files, totalFiles })
  }
  sendCount()
  const listed = copiesBytes ? copyObjects(input, draftList, () => (skippedFiles += 1)) : readObjectList(draftList)
  async function* counted(): AsyncGenerator<ListedFile> {
    for await (const file of listed) {
      objects.files += 1
      objects.objects += file.objects.length
      objects.bytes += file.objects.reduce((sum, { bytes }) => sum + bytes, 0)
      if (performance.now() - countSentAt >= progressEveryMs) sendCount()
      yield file
    }
    sendCount()
  }
  const bytes = formatObjectList(counted())
  const list = await writePart({
    runFolder,
    kind: 'objects',
    name: 'objects.ndjson',
    bytes,
    compress: false,
    recipients: null,
    signal,
  })
  onProgress({ step: 'finishing', files: objects.files, totalFiles })
  if (copiesBytes) await syncPool(poolFolder(input.folder))
  await rm(draftList)
  await syncFolder(join(runFolder, 'secrets'))
  const manifest: Manifest = {
    format: 1,
    version,
    ...summary,
    time,
    engine,
    isSealed: recipients !== null,
    hasBytes: copiesBytes,
    parts: [database, ...secrets, list],
    objects,
    skippedFiles,
  }
  signal.throwIfAborted()
  await writeManifest(runFolder, manifest)
  return manifest
}

async function copySecrets(
  { secretsFolder, recipients, signal }: MakeBackupInput,
  runFolder: string,
): Promise<BackupPart[]> {
  const entries = await readdir(secretsFolder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.draft')).map(({ name }) => name)
  const parts: BackupPart[] = []
  for (const name of names.sort()) {
    const bytes = createReadStream(join(secretsFolder, name))
    parts.push(
      await writePart({
        runFolder,
        kind: 'secret',
        name: `secrets/${name}`,
        bytes,
        compress: false,
        recipients,
        signal,
      }),
    )
  }
  return parts
}

/** Yields the files whose objects are in the pool now. A file that was deleted meanwhile is skipped. */
async function* copyObjects(
  { folder, volumes, report, signal }: MakeBackupInput,
  list: string,
  onSkip: () => void,
): AsyncGenerator<ListedFile> {
  const pool = poolFolder(folder)
  await openPool(pool)
  let batch: ListedFile[] = []
  let count = 0
  let reportedAt = performance.now()

  async function* addBatch(): AsyncGenerator<ListedFile> {
    signal.throwIfAborted()
    const outcomes = await Promise.all(batch.map((file) => addFile(pool, volumeFolderOf(volumes, file), file)))
    for (const [position, file] of batch.entries()) {
      const outcome = outcomes[position]
      if (outcome === 'added' || outcome === 'present') {
        yield file
        continue
      }
      await requireMounted(volumeFolderOf(volumes, file))
      if (outcome === 'damaged') report(`File ${file.id} is left out: its stored length is wrong`)
      onSkip()
    }
    count += batch.length
    batch = []
    if (performance.now() - reportedAt < reportEveryMs) return
    report(`Copied the objects of ${count} files`)
    reportedAt = performance.now()
  }

  for await (const file of readObjectList(list)) {
    batch.push(file)
    if (batch.length === concurrentFiles) yield* addBatch()
  }
  yield* addBatch()
  report(`Copied the objects of ${count} files`)
}

function volumeFolderOf(volumes: ReadonlyMap<string, string>, { volume }: ListedFile): string {
  const folder = volumes.get(volume)
  if (folder === undefined)
    throw new BackupError(
      'volume-missing',
      `The database has files on volume ${volume}, which is not open. Check VOLUMES and whether its disk is mounted, or ` +
        'make a backup without objects by --no-bytes.',
    )
  return folder
}
