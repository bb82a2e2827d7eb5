import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listRuns, manifestPath, readManifest, runTimeOf } from './manifest.ts'
import { readObjectList } from './object-list.ts'
import { listPool, poolFolder, removeFromPool } from './object-pool.ts'
import { verifyPart } from './parts.ts'

/** Removes what interrupted runs have left. */
export async function removeIncompleteRuns(folder: string): Promise<void> {
  for (const { name, isComplete } of await listRuns(folder))
    if (!isComplete) await rm(join(folder, name), { recursive: true, force: true })
}

/** Removes the runs that began before this time and returns their number. */
export async function removeOldRuns(folder: string, before: number): Promise<number> {
  const old = (await listRuns(folder)).filter(({ name }) => runTimeOf(name) < before)
  for (const { name } of old) {
    // First what makes it a backup, so that an interrupted removal leaves none that is damaged.
    await rm(manifestPath(join(folder, name)), { force: true })
    await rm(join(folder, name), { recursive: true, force: true })
  }
  return old.length
}

/** Removes the objects of files that no run lists and returns the number of these files. */
export async function removeUnlistedObjects(folder: string, report: (text: string) => void): Promise<number> {
  const pool = poolFolder(folder)
  const unlisted = new Set<string>()
  try {
    for await (const fileId of listPool(pool)) unlisted.add(fileId)
    for (const { name } of await listRuns(folder)) {
      if (unlisted.size === 0) break
      for await (const { id } of readVerifiedList(join(folder, name))) unlisted.delete(id)
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    report(`No object is removed, because the list of a run cannot be read: ${(error as Error).message}`)
    return 0
  }
  for (const fileId of unlisted) await removeFromPool(pool, fileId)
  return unlisted.size
}

async function* readVerifiedList(runFolder: string) {
  const { parts } = await readManifest(runFolder)
  for (const part of parts.filter(({ kind }) => kind === 'objects')) {
    await verifyPart(runFolder, part)
    yield* readObjectList(join(runFolder, part.file))
  }
}
