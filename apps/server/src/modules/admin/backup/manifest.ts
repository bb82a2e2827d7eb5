import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { syncFolder } from '../../../platform/storage/volume.ts'

const count = z.number().int().nonnegative()

const BackupPart = z.object({
  kind: z.enum(['database', 'secret', 'objects']),
  /** The path in the folder of the run. */
  file: z.string().regex(/^(secrets\/)?\w[\w.-]*$/),
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

/** Describes one run. It is written last: a folder without one is no backup. */
const Manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  /** The newest migration of the database. */
  migration: z.string(),
  /** The fingerprint of the secret that derives the salts; null for a database that no server has used. */
  instance: z.string().nullable(),
  time: z.number(),
  engine: z.enum(['sqlite', 'postgres']),
  isSealed: z.boolean(),
  /** False for a run that copied no objects. Those that the pool has from other runs are restored all the same. */
  hasBytes: z.boolean(),
  /** Rows of each table. */
  tables: z.record(z.string(), count),
  parts: z.array(BackupPart),
  /** What the list of objects has. */
  objects: z.object({ files: count, objects: count, bytes: count }),
  /** Files of the database whose bytes were gone or damaged when they were copied. */
  skippedFiles: count,
})

export type BackupPart = z.output<typeof BackupPart>
export type Manifest = z.output<typeof Manifest>

const manifestFile = 'manifest.json'
const runPattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

/** The name of the run folder for this time. */
export const runNameOf = (time: number): string => new Date(time).toISOString().replaceAll(':', '-')

/** The time in the name of a run folder. */
export const runTimeOf = (name: string): number => Date.parse(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))

/** Writes the manifest durably; only then is the folder a backup. */
export async function writeManifest(runFolder: string, manifest: Manifest): Promise<void> {
  const draft = join(runFolder, `${manifestFile}.${randomUUID()}.draft`)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify({ ...manifest, digest: digestOf(manifest) }, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(runFolder, manifestFile))
  await syncFolder(runFolder)
}

/** Reads the manifest of a run. Throws if there is none, or if it is not as it was written. */
export async function readManifest(runFolder: string): Promise<Manifest> {
  const path = join(runFolder, manifestFile)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`${runFolder} is not a backup: it has no ${manifestFile}`)
    throw error
  })
  const { digest, ...content } = parseObject(text) ?? {}
  const parsed = Manifest.safeParse(content)
  if (!parsed.success || digest !== digestOf(content))
    throw new Error(`${path} is damaged, or was written by another version of Sallyport`)
  return parsed.data
}

/** Lists the names of all run folders, newest first. */
export const listRunNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => runPattern.test(name))
    .sort()
    .reverse()

/** The same, and whether each one is a backup. */
export async function listRuns(folder: string): Promise<{ name: string; isComplete: boolean }[]> {
  const runs = (await listRunNames(folder)).map(async (name) => ({
    name,
    isComplete: await stat(join(folder, name, manifestFile)).then(
      () => true,
      () => false,
    ),
  }))
  return Promise.all(runs)
}

/** The file that makes a folder a backup. */
export const manifestPath = (runFolder: string): string => join(runFolder, manifestFile)

const digestOf = (content: object): string => createHash('sha256').update(JSON.stringify(content)).digest('hex')

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
