import { join } from 'node:path'
import type { LatestBackup } from '@sallyport/contract/admin-backup'
import { listRunNames, readManifest } from '../backup/manifest.ts'

interface LatestBackupDeps {
  /** The folder of all runs. */
  readonly folder: string
  readonly now: () => number
}

interface LatestResult {
  /** Null if there is none. */
  readonly latest: LatestBackup | null
  /** False if the folder cannot be read. */
  readonly isReadable: boolean
}

const cacheMs = 5000

/** Finds the last backup in a folder, however it was made. The result is cached for 5 s. */
export function createLatestBackup({ folder, now }: LatestBackupDeps) {
  let cached: { readonly at: number; readonly result: Promise<LatestResult> } | null = null
  return {
    find(): Promise<LatestResult> {
      const age = cached === null ? null : now() - cached.at
      if (cached === null || age === null || age < 0 || age >= cacheMs)
        cached = { at: now(), result: findLatest(folder) }
      return cached.result
    },
    /** Makes the next call read the folder. */
    forget(): void {
      cached = null
    },
  }
}

export type LatestBackupFinder = ReturnType<typeof createLatestBackup>

async function findLatest(folder: string): Promise<LatestResult> {
  const names = await listRunNames(folder).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? [] : null,
  )
  for (const name of names ?? []) {
    // An interrupted run has no manifest.
    const manifest = await readManifest(join(folder, name)).catch(() => null)
    if (manifest === null) continue
    const { time, parts, objects, isSealed, hasBytes } = manifest
    const partBytes = parts.reduce((sum, { bytes }) => sum + bytes, 0)
    const latest = {
      time,
      bytes: partBytes + (hasBytes ? objects.bytes : 0),
      files: objects.files,
      is_sealed: isSealed,
      has_files: hasBytes,
    }
    return { latest, isReadable: true }
  }
  return { latest: null, isReadable: names !== null }
}
