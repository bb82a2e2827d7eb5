import { sweepLimits } from '@sallyport/contract/server-limits'
import type { Logger } from 'pino'
import type { ServerContext } from '../../../context.ts'
import { type Erased, type Job, nothing, sumOf } from '../../../jobs.ts'
import type { BlobStore } from '../../../platform/storage/blob-store.ts'
import type { SweepStore } from './sweep.store.ts'
import type { SweptKind } from './sweeper.ts'

interface OrphanSweepDeps extends Pick<ServerContext, 'volumes'> {
  readonly store: Pick<SweepStore, 'findKnownIds'>
  readonly log: Pick<Logger, 'info' | 'error'>
  readonly count?: (kind: SweptKind, removed: number) => void
}

const everyMs = 10 * 60_000
const batchSize = 500
/**
 * Up to this number, orphans are removed regardless of their share: on a small instance a single one exceeds a tenth.
 */
const alwaysRemovable = 5

/**
 * Removes stored bytes that have no row, left behind by a crash or a failed removal. They must be old and found twice.
 * If there are many, the database is more likely to be wrong than the bytes, and none is removed.
 */
export function createOrphanSweep({ store, volumes, log, count }: OrphanSweepDeps) {
  const seenBefore = new Map<string, ReadonlySet<string>>()

  async function sweepVolume(blobs: BlobStore, signal: AbortSignal): Promise<Erased> {
    const { orphans, fileCount } = await findOrphans(blobs, store)
    const seen = seenBefore.get(blobs.id)
    seenBefore.set(blobs.id, new Set(orphans))
    volumes.setOrphans(blobs.id, orphans.length)
    const confirmed = orphans.filter((id) => seen?.has(id))
    if (confirmed.length > alwaysRemovable && confirmed.length > fileCount * sweepLimits.orphanShare) {
      log.error(
        { volume: blobs.id, orphans: confirmed.length, fileCount },
        'too many bytes without a row; removing none',
      )
      return { ...nothing, tooMany: { orphans: confirmed.length, files: fileCount } }
    }
    let remaining = orphans.length
    let bytes = 0
    for (const id of confirmed) {
      if (signal.aborted) break
      bytes += await blobs.bytesOf(id)
      await blobs.remove(id)
      remaining -= 1
    }
    volumes.setOrphans(blobs.id, remaining)
    const drafts = await blobs.removeStaleDrafts(sweepLimits.orphanAgeMs)
    count?.('orphan', confirmed.length + drafts)
    return { files: orphans.length - remaining, bytes, entries: drafts }
  }

  return {
    name: 'orphan pass',
    erases: 'orphaned',
    everyMs,
    async run(signal) {
      const erased: Erased[] = []
      for (const blobs of volumes.all) erased.push(await sweepVolume(blobs, signal))
      return sumOf(erased)
    },
  } satisfies Job
}

async function findOrphans(blobs: BlobStore, store: OrphanSweepDeps['store']) {
  const orphans: string[] = []
  let fileCount = 0
  let oldIds: string[] = []
  const checkBatch = async (): Promise<void> => {
    const known = await store.findKnownIds(oldIds)
    orphans.push(...oldIds.filter((id) => !known.has(id)))
    oldIds = []
  }
  for await (const { fileId, ageMs } of blobs.list()) {
    fileCount += 1
    if (ageMs >= sweepLimits.orphanAgeMs) oldIds.push(fileId)
    if (oldIds.length === batchSize) await checkBatch()
  }
  if (oldIds.length > 0) await checkBatch()
  return { orphans, fileCount }
}
