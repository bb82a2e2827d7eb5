import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { syncFolder } from '../../../platform/storage/volume.ts'
import { rotateSigningKeys } from '../../auth/tokens/signing-keys.ts'
import { UsageError } from '../options.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { readObjectList } from './object-list.ts'
import { poolFolder, syncPool } from './object-pool.ts'
import { openPart, partName, verifyPart } from './parts.ts'
import type { RestoredDatabase } from './restored-database.ts'
import {
  assignVolumes,
  hasAllObjects,
  type PlacedAs,
  placeFile,
  requireEmptyFolder,
  type TargetVolume,
} from './target-volumes.ts'

export interface RestoreInput {
  readonly runFolder: string
  readonly dataFolder: string
  readonly volumeFolders: readonly string[]
  /** Private keys of age. */
  readonly identities: readonly string[]
  readonly placedAs: PlacedAs
  /** The migrations of this version. */
  readonly migrationNames: readonly string[]
  readonly database: RestoreTarget
  readonly report: (text: string) => void
  /** Aborted to stop the restore. */
  readonly signal: AbortSignal
}

/** The database that a backup is restored into. */
export interface RestoreTarget {
  readonly engine: Manifest['engine']
  /** Throws if it has data. */
  requireEmpty(): Promise<void>
  /** Restores the bytes of the part; an embedded database in this folder. */
  restore(bytes: Readable, folder: string): Promise<void>
  /** Opens what was restored, as it was backed up. */
  open(folder: string): Promise<RestoredDatabase>
}

export interface RestoreResult {
  readonly manifest: Manifest
  /** Files whose rows were removed, because their bytes are missing. */
  readonly removedFiles: readonly string[]
  /** Those of them whose bytes the run lists. */
  readonly lostFiles: readonly string[]
  readonly authSessions: number
  readonly openUploads: number
  readonly seconds: number
}

const databaseFileName = 'sallyport.db'

/**
 * Restores a run into an empty data folder, and into an empty database. The secrets get their name last: until then no
 * server starts with what is half restored.
 */
export async function restoreRun(input: RestoreInput): Promise<RestoreResult> {
  const { runFolder, dataFolder, volumeFolders, database, report, signal } = input
  const begun = performance.now()
  const manifest = await readManifest(runFolder)
  requireFitting(input, manifest)
  for (const folder of [dataFolder, ...(manifest.hasBytes ? volumeFolders : [])]) await requireEmptyFolder(folder)
  await database.requireEmpty()
  report('Checking the digests')
  for (const part of manifest.parts) {
    signal.throwIfAborted()
    await verifyPart(runFolder, part)
  }

  const draftFolder = join(dataFolder, 'restoring')
  const draftSecrets = join(draftFolder, 'secrets')
  await mkdir(draftSecrets, { recursive: true, mode: 0o700 })
  report('Restoring the database')
  await restoreParts(input, manifest, draftFolder)
  if (existsSync(join(draftSecrets, 'tokens.jwks'))) {
    // The previous key still verifies after one rotation.
    await rotateSigningKeys(draftSecrets)
    await rotateSigningKeys(draftSecrets)
  }

  const restored = await database.open(draftFolder)
  let result: Omit<RestoreResult, 'manifest' | 'seconds'>
  try {
    await restored.requireTables(manifest.tables)
    await restored.migrate()
    report('Restoring the objects')
    const targets = await assignVolumes(await restored.listVolumeIds(), volumeFolders)
    const lostFiles = await placeObjects(input, manifest, targets)
    for (const [id, target] of targets) if (id !== target.id) await restored.moveToVolume(id, target.id)
    const removedFiles = await findIncompleteFiles(restored, targets)
    await restored.removeFiles(removedFiles)
    result = { removedFiles, lostFiles, ...(await restored.finish(draftSecrets)) }
  } finally {
    await restored.close()
  }
  signal.throwIfAborted()
  await moveInto(draftFolder, dataFolder)
  return { manifest, ...result, seconds: (performance.now() - begun) / 1000 }
}

function requireFitting({ identities, migrationNames, database }: RestoreInput, manifest: Manifest): void {
  if (manifest.isSealed && identities.length === 0)
    throw new UsageError('This backup is sealed: name the file with the private key by --identity FILE')
  if (!migrationNames.includes(manifest.migration))
    throw new Error(
      `The backup was made by a newer version of Sallyport, ${manifest.version} (migration ${manifest.migration})`,
    )
  if (manifest.engine === database.engine) return
  throw new UsageError(
    manifest.engine === 'postgres'
      ? 'This is a backup of PostgreSQL: set DATABASE_URL to an empty database'
      : 'This is a backup of the embedded database, and cannot be restored into the PostgreSQL of DATABASE_URL',
  )
}

async function restoreParts(input: RestoreInput, manifest: Manifest, draftFolder: string): Promise<void> {
  const { runFolder, identities, database, signal } = input
  for (const part of manifest.parts) {
    signal.throwIfAborted()
    if (part.kind === 'objects') continue
    const bytes = openPart(runFolder, part, { identities, signal })
    if (part.kind === 'database') await database.restore(bytes, draftFolder)
    else
      await pipeline(
        bytes,
        createWriteStream(join(draftFolder, 'secrets', basename(partName(part))), {
          flags: 'wx',
          mode: 0o600,
          flush: true,
        }),
      )
  }
}

/** Returns the files that the run lists and the pool does not have. */
async function placeObjects(
  { runFolder, placedAs, signal }: RestoreInput,
  { parts, hasBytes }: Manifest,
  targets: ReadonlyMap<string, TargetVolume>,
): Promise<string[]> {
  const pool = poolFolder(dirname(runFolder))
  const lost: string[] = []
  for (const part of parts.filter(({ kind }) => kind === 'objects')) {
    for await (const file of readObjectList(join(runFolder, part.file))) {
      signal.throwIfAborted()
      const target = targets.get(file.volume)
      if (!target) throw new Error('There is no folder for the objects: check VOLUMES')
      const isPlaced = await placeFile(pool, { volumeFolder: target.folder, file, as: placedAs })
      if (!isPlaced && hasBytes) lost.push(file.id)
    }
  }
  for (const { folder } of new Set(targets.values())) await syncPool(folder)
  return lost
}

async function findIncompleteFiles(
  restored: RestoredDatabase,
  targets: ReadonlyMap<string, TargetVolume>,
): Promise<string[]> {
  const byId = new Map([...targets.values()].map((target) => [target.id, target.folder]))
  const incomplete: string[] = []
  for await (const file of restored.listFiles()) {
    const folder = byId.get(file.volume)
    if (folder === undefined || !(await hasAllObjects(folder, file))) incomplete.push(file.id)
  }
  return incomplete
}

/** Gives the restored files their names, the secrets last. */
async function moveInto(draftFolder: string, dataFolder: string): Promise<void> {
  const draft = join(draftFolder, databaseFileName)
  if (existsSync(draft)) await rename(draft, join(dataFolder, databaseFileName))
  await syncFolder(dataFolder)
  await rename(join(draftFolder, 'secrets'), join(dataFolder, 'secrets'))
  await rmdir(draftFolder)
  await syncFolder(dataFolder)
}
