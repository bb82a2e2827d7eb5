import type { Logger } from 'pino'
import type { Database } from './platform/db/schema.ts'

interface MissingVolumesOptions {
  readonly db: Database
  readonly openIds: readonly string[]
  readonly now: () => number
  readonly log: Pick<Logger, 'error' | 'info'>
}

const checkEveryMs = 60_000

/**
 * Watches for volumes whose files the database knows but which are not open, usually because their disk is not mounted.
 * Logs them at the start. The returned function throws while there are such files, and stops when the last has expired.
 */
export async function watchMissingVolumes(options: MissingVolumesOptions): Promise<() => Promise<void>> {
  const { db, openIds, now, log } = options

  async function listMissing(): Promise<string[]> {
    const volumes = (table: 'files' | 'uploads') =>
      db
        .selectFrom(table)
        .select('volume')
        .where('volume', 'not in', [...openIds])
    const rows = await volumes('files')
      .where('expires_at', '>', now())
      .union(volumes('uploads').where('completed_at', 'is', null).where('cancelled_at', 'is', null))
      .execute()
    return rows.map(({ volume }) => volume)
  }

  let missing = await listMissing()
  let checkedAt = performance.now()
  if (missing.length > 0)
    log.error(
      { volumes: missing },
      'the database has files on volumes that are not open; check VOLUMES and whether the disks are mounted',
    )

  return async () => {
    if (missing.length > 0 && performance.now() - checkedAt > checkEveryMs) {
      checkedAt = performance.now()
      missing = await listMissing()
      if (missing.length === 0) log.info('no file is on a missing volume any more')
    }
    if (missing.length > 0) throw new Error(`Volumes are missing: ${missing.join(', ')}`)
  }
}
