import { uploadLimits } from '@sallyport/contract/limits'
import { sweepLimits } from '@sallyport/contract/server-limits'
import type { Logger } from 'pino'
import { goOn, type Reached } from '../blobs/fail-points.ts'
import type { Volumes } from '../blobs/volumes.ts'
import { type Announce, type AnnounceToSession, announceRemoval } from '../live/announce.ts'
import { watchClock } from './clock-watch.ts'
import type { Job } from './scheduler.ts'
import type { SweepingStore } from './sweeping.store.ts'

export type SweptKind = 'file' | 'upload' | 'orphan'

interface Parts {
  readonly store: SweepingStore
  readonly volumes: Volumes
  readonly announce: Announce
  readonly announceToSession: AnnounceToSession
  readonly now: () => number
  readonly log: Pick<Logger, 'info' | 'error'>
  /** Told how many things of a kind were removed. */
  readonly count?: (kind: SweptKind, removed: number) => void
  readonly monotonic?: () => number
  readonly reached?: Reached
}

/**
 * Removes files that have expired and uploads that were given up: first their rows, then their bytes. When the clock
 * was set by more than an hour, it lets one round pass and raises an alarm.
 */
export function createSweeper(parts: Parts): Job {
  const { store, volumes, now, log, count, monotonic = () => performance.now(), reached = goOn } = parts
  const clockJump = watchClock({ now, monotonic })

  async function sweepFiles(signal: AbortSignal): Promise<void> {
    for (let isFull = true; isFull && !signal.aborted; ) {
      const removed = await store.removeExpiredFiles(now(), sweepLimits.batch)
      for (const file of removed) announceRemoval(parts, file)
      reached('during-sweep')
      for (const file of removed) await volumes.remove(file.volume, file.id)
      count?.('file', removed.length)
      isFull = removed.length === sweepLimits.batch
    }
  }

  async function sweepUploads(signal: AbortSignal): Promise<void> {
    for (let isFull = true; isFull && !signal.aborted; ) {
      const silence = {
        silentSince: now() - uploadLimits.abandonedAfterMs,
        silentInSessionSince: now() - uploadLimits.leaseMs,
      }
      const abandoned = await store.removeAbandonedUploads(silence, sweepLimits.batch)
      const cancelled = await store.forgetCancelledUploads(now() - uploadLimits.leaseMs, sweepLimits.batch)
      for (const upload of [...abandoned, ...cancelled]) await volumes.remove(upload.volume, upload.id)
      count?.('upload', abandoned.length)
      isFull = abandoned.length === sweepLimits.batch || cancelled.length === sweepLimits.batch
    }
  }

  const sweepEndedSessions = createEndedSessionsSweep(parts)

  return {
    name: 'sweeper',
    everyMs: sweepLimits.everyMs,
    async run(signal) {
      const jumpMs = clockJump()
      if (jumpMs !== 0) return log.error({ jumpMs }, 'the clock was set; nothing is removed in this round')
      await sweepFiles(signal)
      await sweepUploads(signal)
      await sweepEndedSessions()
    },
  }
}

type EndedSessionsParts = Pick<Parts, 'store' | 'volumes' | 'count'>

/** Removes what sessions that are over have left: first the rows, then the bytes. Also done as soon as one ends. */
export function createEndedSessionsSweep({ store, volumes, count }: EndedSessionsParts): () => Promise<void> {
  return async () => {
    for (let isFull = true; isFull; ) {
      const files = await store.removeFilesOfEndedSessions(sweepLimits.batch)
      const uploads = await store.removeUploadsOfEndedSessions(sweepLimits.batch)
      for (const { volume, id } of [...files, ...uploads]) await volumes.remove(volume, id)
      count?.('file', files.length)
      count?.('upload', uploads.length)
      isFull = files.length === sweepLimits.batch || uploads.length === sweepLimits.batch
    }
  }
}
