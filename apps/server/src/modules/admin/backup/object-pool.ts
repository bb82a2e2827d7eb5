import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants, copyFile, link, mkdir, open, opendir, rename, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ignore } from '@sallyport/contract/ignore'
import { fileFolder, syncFolder } from '../../../platform/storage/volume.ts'
import { BackupError } from './backup-error.ts'
import type { ListedFile } from './object-list.ts'

/** Where the folder of a file does not allow a hard link, such as on another file system. */
const notLinkableCodes = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES'])

const branchPattern = /^[0-9a-f]{2}$/

/** What happened to the objects of a file. */
export type AddOutcome = 'added' | 'present' | 'missing' | 'damaged'

/** The folder for the objects of all runs; it has the layout of a volume. */
export const poolFolder = (backupFolder: string): string => join(backupFolder, 'objects')

/** Creates the pool, and removes what an interrupted run has left in it. */
export async function openPool(pool: string): Promise<void> {
  await rm(incomingOf(pool), { recursive: true, force: true })
  await mkdir(incomingOf(pool), { recursive: true, mode: 0o700 })
}

/**
 * Adds the objects of a file: as hard links, or as durable copies on another file system. Needs `syncPool` afterwards. An
 * object that the pool has is not touched, because objects of files never change, unless its length is wrong.
 */
export async function addFile(pool: string, volumeFolder: string, file: ListedFile): Promise<AddOutcome> {
  const [source, target] = [fileFolder(volumeFolder, file.id), fileFolder(pool, file.id)]
  let outcome: AddOutcome = 'present'
  await mkdir(target, { recursive: true, mode: 0o700 })
  for (const { index, bytes } of file.objects) {
    const path = join(target, String(index))
    const pooled = await sizeOf(path)
    if (pooled === bytes) continue
    const size = await sizeOf(join(source, String(index)))
    if (size === null) return 'missing'
    if (size !== bytes) return 'damaged'
    if (pooled !== null) await rm(path)
    try {
      await linkOrCopy(join(source, String(index)), path, incomingOf(pool))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 'missing'
      throw error
    }
    outcome = 'added'
  }
  return outcome
}

/**
 * Makes the folders of new files durable: by one sync of the file system where there is such a command, otherwise folder
 * by folder, which takes some milliseconds for each file.
 */
export async function syncPool(pool: string): Promise<void> {
  if (await syncFileSystem(pool)) return
  for await (const branch of await opendir(pool)) {
    if (!branchPattern.test(branch.name)) continue
    for await (const entry of await opendir(join(pool, branch.name)))
      await syncFolder(join(pool, branch.name, entry.name))
    await syncFolder(join(pool, branch.name))
  }
  await syncFolder(pool)
}

/** Flushes the file system of a folder. False if this machine has no command for it. */
const syncFileSystem = (folder: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn('sync', ['--file-system', folder], { stdio: 'ignore' })
    child.once('error', () => resolve(false)).once('close', (code) => resolve(code === 0))
  })

/** Links a file into another folder, or copies it durably where that is not possible. */
export async function linkOrCopy(source: string, target: string, draftFolder: string): Promise<void> {
  try {
    await link(source, target)
  } catch (error) {
    if (!notLinkableCodes.has(String(codeOf(error)))) throw error
    await copyDurably(source, target, draftFolder)
  }
}

async function copyDurably(source: string, target: string, draftFolder: string): Promise<void> {
  const draft = join(draftFolder, randomUUID())
  try {
    await copyFile(source, draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    const file = await open(draft, 'r+')
    await file.chmod(0o600)
    await file.sync().finally(() => file.close())
    await rename(draft, target)
  } catch (error) {
    await unlink(draft).catch((failure: unknown) => ignore(failure, 'the next run removes the draft'))
    throw error
  }
}

/** Yields the ids of all files that have objects in the pool. */
export async function* listPool(pool: string): AsyncGenerator<string> {
  for await (const branch of await opendir(pool)) {
    if (!branchPattern.test(branch.name)) continue
    for await (const entry of await opendir(join(pool, branch.name))) yield entry.name
  }
}

/** Removes the objects of a file from the pool. */
export const removeFromPool = (pool: string, fileId: string): Promise<void> =>
  rm(fileFolder(pool, fileId), { recursive: true, force: true })

/** The size of a file; null if there is none. */
export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Throws unless the disk of a volume is mounted. */
export async function requireMounted(volumeFolder: string): Promise<void> {
  await stat(incomingOf(volumeFolder)).catch(() => {
    throw new BackupError(
      'volume-missing',
      `The volume in ${volumeFolder} disappeared during the backup: is its disk still mounted?`,
    )
  })
}

const incomingOf = (folder: string): string => join(folder, 'incoming')

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
