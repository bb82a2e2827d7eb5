import { sweepLimits } from '@sallyport/contract/server-limits'
import type { Logger } from 'pino'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Volumes } from '../blobs/volumes.ts'
import type { Job } from './scheduler.ts'
import type { SweptKind } from './sweeper.ts'
import type { SweepingStore } from './sweeping.store.ts'

interface Parts {
  readonly store: Pick<SweepingStore, 'knownIds'>
  readonly volumes: Volumes
  readonly log: Pick<Logger, 'info' | 'error'>
  readonly count?: (kind: SweptKind, removed: number) => void
}

const everyMs = 10 * 60_000
const idsAtOnce = 500
/** So few are removed whatever share they are: on a small instance a single one is more than a tenth. */
const fewOrphans = 5

/**
 * Removes bytes that no row knows: what a crash or a failed removal has left. They have to be old, and to be found
 * twice. When they are many, the database is more likely to be wrong than the bytes, and none is removed.
 */
export function createOrphanPass({ store, volumes, log, count }: Parts): Job {
  const seenBefore = new Map<string, ReadonlySet<string>>()

  async function visit(blobs: BlobStore, signal: AbortSignal): Promise<void> {
    const { orphans, fileCount } = await findOrphans(blobs, store)
    const seen = seenBefore.get(blobs.id)
    seenBefore.set(blobs.id, new Set(orphans))
    const twice = orphans.filter((id) => seen?.has(id))
    if (twice.length > fewOrphans && twice.length > fileCount * sweepLimits.orphanShare) {
      log.error({ volume: blobs.id, orphans: twice.length, fileCount }, 'too many bytes without a row; none is removed')
      return
    }
    for (const id of twice) if (!signal.aborted) await blobs.remove(id)
    const drafts = await blobs.tidy(sweepLimits.orphanAgeMs)
    count?.('orphan', twice.length + drafts)
  }

  return {
    name: 'orphan pass',
    everyMs,
    async run(signal) {
      for (const blobs of volumes.all) await visit(blobs, signal)
    },
  }
}

async function findOrphans(blobs: BlobStore, store: Parts['store']) {
  const orphans: string[] = []
  let fileCount = 0
  let old: string[] = []
  const compare = async (): Promise<void> => {
    const known = await store.knownIds(old)
    orphans.push(...old.filter((id) => !known.has(id)))
    old = []
  }
  for await (const { fileId, ageMs } of blobs.list()) {
    fileCount += 1
    if (ageMs >= sweepLimits.orphanAgeMs) old.push(fileId)
    if (old.length === idsAtOnce) await compare()
  }
  if (old.length > 0) await compare()
  return { orphans, fileCount }
}
