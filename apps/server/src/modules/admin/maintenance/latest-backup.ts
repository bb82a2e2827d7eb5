import { join } from 'node:path'
import type { LatestBackup } from '@sallyport/contract/admin-backup'
import { listRunNames, readManifest } from '../backup/manifest.ts'

interface LatestBackupDeps {
  /** Reads the folder of all runs, which can take forever where its disk is gone. */
  readonly findLatest: () => Promise<LatestResult>
  readonly now: () => number
}

export interface LatestResult {
  /** Null if there is none. */
  readonly latest: LatestBackup | null
  /** False if the folder cannot be read, or not in time. */
  readonly isReadable: boolean
}

const cacheMs = 5000
const longestReadMs = 2000

/** A run that is dated later than this was made while the clock was wrong. */
const clockToleranceMs = 5 * 60_000

/**
 * Finds the last backup, however it was made, and caches the result for 5 s. The folder is read once at a time, so that a
 * disk that does not answer blocks one thread; all calls resolve at most 2 s after the reading began.
 */
export function createLatestBackup({ findLatest, now }: LatestBackupDeps) {
  let cached: { readonly at: number; readonly result: LatestResult } | null = null
  let pending: Promise<LatestResult> | null = null
  let isOutdated = false

  function findCached(): LatestResult | null {
    if (cached === null) return null
    const age = now() - cached.at
    return age >= 0 && age < cacheMs ? cached.result : null
  }

  /** Reads again if a backup has ended meanwhile. */
  async function read(): Promise<LatestResult> {
    let result: LatestResult
    do {
      isOutdated = false
      result = await findLatest()
    } while (isOutdated)
    cached = { at: now(), result }
    return result
  }

  function begin(): Promise<LatestResult> {
    const reading = read().finally(() => {
      pending = null
    })
    pending = unreadableAfter(reading, longestReadMs)
    return pending
  }

  return {
    async find(): Promise<LatestResult> {
      return pending ?? findCached() ?? begin()
    },
    /** Makes the next call read the folder. */
    forget(): void {
      cached = null
      isOutdated = true
    },
  }
}

export type LatestBackupFinder = ReturnType<typeof createLatestBackup>

/** Resolves with an unreadable folder if it takes longer. */
function unreadableAfter(reading: Promise<LatestResult>, ms: number): Promise<LatestResult> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<LatestResult>((resolve) => {
    timer = setTimeout(() => resolve({ latest: null, isReadable: false }), ms)
  })
  return Promise.race([reading, limit]).finally(() => clearTimeout(timer))
}

/** Finds the newest run in the folder that has a manifest and is not dated in the future. */
export async function findLatestRun(folder: string, now: number): Promise<LatestResult> {
  const names = await listRunNames(folder).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? [] : null,
  )
  for (const name of names ?? []) {
    // An interrupted run has no manifest.
    const manifest = await readManifest(join(folder, name)).catch(() => null)
    if (manifest === null || manifest.time > now + clockToleranceMs) continue
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
