import { uploadLimits } from '@sallyport/contract/limits'
import { sweepLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import { type Erased, type Job, nothing, sumOf } from '../../../jobs.ts'
import { type Failpoint, noFailpoint } from '../../../platform/storage/failpoints.ts'
import type { RemovedFile } from '../uploads/removals.store.ts'
import type { SweepStore } from './sweep.store.ts'

export type SweptKind = 'file' | 'upload' | 'orphan'

interface SweeperDeps extends Pick<ServerContext, 'volumes' | 'publishToAccount' | 'publishToSession' | 'now'> {
  readonly store: SweepStore
  /** Called with the number of removed items of a kind. */
  readonly count?: (kind: SweptKind, removed: number) => void
  readonly failpoint?: Failpoint
}

/** Removes expired files and abandoned uploads: first their rows, then their bytes. */
export function createSweeper(deps: SweeperDeps) {
  const { store, volumes, publishToAccount, publishToSession, now, count, failpoint = noFailpoint } = deps

  function publishDeleted({ id, ownerId, sessionId }: RemovedFile): void {
    if (sessionId !== null) publishToSession(sessionId, { type: 'session.file.deleted', id })
    else publishToAccount(ownerId, { type: 'file.deleted', id })
  }

  async function sweepFiles(time: number, signal: AbortSignal): Promise<Erased> {
    let erased = nothing
    for (let isFull = true; isFull && !signal.aborted; ) {
      const removed = await store.removeExpiredFiles(time, sweepLimits.batch)
      for (const file of removed) publishDeleted(file)
      failpoint('during-sweep')
      for (const file of removed) await volumes.remove(file.volume, file.id)
      count?.('file', removed.length)
      erased = sumOf([erased, countFiles(removed)])
      isFull = removed.length === sweepLimits.batch
    }
    return erased
  }

  async function sweepUploads(time: number, signal: AbortSignal): Promise<Erased> {
    let entries = 0
    for (let isFull = true; isFull && !signal.aborted; ) {
      const thresholds = {
        idleSince: time - uploadLimits.abandonedAfterMs,
        sessionIdleSince: time - uploadLimits.leaseMs,
      }
      const abandoned = await store.removeAbandonedUploads(thresholds, sweepLimits.batch)
      const cancelled = await store.removeCancelledUploads(time - uploadLimits.leaseMs, sweepLimits.batch)
      for (const upload of [...abandoned, ...cancelled]) await volumes.remove(upload.volume, upload.id)
      count?.('upload', abandoned.length)
      entries += abandoned.length
      isFull = abandoned.length === sweepLimits.batch || cancelled.length === sweepLimits.batch
    }
    return { ...nothing, entries }
  }

  const sweepEndedSessions = createEndedSessionsSweep(deps)

  return {
    name: 'sweeper',
    erases: 'expired',
    everyMs: sweepLimits.everyMs,
    async run(signal) {
      // The time that was right when the run began: the clock may be set during it.
      const time = now()
      const files = await sweepFiles(time, signal)
      const uploads = await sweepUploads(time, signal)
      return sumOf([files, uploads, await sweepEndedSessions()])
    },
  } satisfies Job
}

const countFiles = (files: readonly RemovedFile[]): Erased => ({
  files: files.length,
  bytes: files.reduce((bytes, { plainBytes }) => bytes + plainBytes, 0),
  entries: 0,
})

type EndedSessionsSweepDeps = Pick<SweeperDeps, 'store' | 'volumes' | 'count'>

/** Removes files and uploads of ended sessions: first the rows, then the bytes. Also runs as soon as a session ends. */
export function createEndedSessionsSweep({ store, volumes, count }: EndedSessionsSweepDeps): () => Promise<Erased> {
  return async () => {
    let erased = nothing
    for (let isFull = true; isFull; ) {
      const files = await store.removeFilesOfEndedSessions(sweepLimits.batch)
      const uploads = await store.removeUploadsOfEndedSessions(sweepLimits.batch)
      for (const { volume, id } of [...files, ...uploads]) await volumes.remove(volume, id)
      count?.('file', files.length)
      count?.('upload', uploads.length)
      erased = sumOf([erased, countFiles(files), { ...nothing, entries: uploads.length }])
      isFull = files.length === sweepLimits.batch || uploads.length === sweepLimits.batch
    }
    return erased
  }
}

/**
 * Removes the uploads that a crash ended before a chunk was stored, so that they do not count as open. Only for a single
 * node before it listens: another node may be receiving such a chunk.
 */
export async function removeUnstartedUploads({
  store,
  volumes,
}: Pick<SweeperDeps, 'store' | 'volumes'>): Promise<void> {
  for (let isFull = true; isFull; ) {
    const uploads = await store.removeUnstartedUploads(sweepLimits.batch)
    for (const { volume, id } of uploads) await volumes.remove(volume, id)
    isFull = uploads.length === sweepLimits.batch
  }
}
