import { createThroughput } from '../throughput.ts'
import type { Chunk } from './plan.ts'
import type { LaneProgress } from './seal-lane.ts'
import type { UploadSending } from './upload-state.ts'

export interface UploadProgress {
  /** Counts chunks that the server had before; `isChecked` once the file was compared with them. */
  resume(stored: readonly Chunk[], now: number, isChecked: boolean): void
  /** Lets the speed begin anew, after a time in which nothing could move. */
  startOver(now: number): void
  report(chunk: Chunk, progress: LaneProgress): void
  stored(chunk: Chunk): void
  /** The progress as a whole, its speed counted up to now. */
  measure(now: number, isPaused: boolean): UploadSending
}

/** Adds up what the chunks under way and the finished ones amount to, in plain bytes. */
export function createUploadProgress(totalBytes: number, startedAt: number): UploadProgress {
  const underWay = new Map<number, { sealed: number; sent: number }>()
  const throughput = createThroughput(startedAt)
  let storedBytes = 0
  let mostSent = 0
  let isChecking = false

  const sum = (part: 'sealed' | 'sent'): number => {
    let bytes = storedBytes
    for (const progress of underWay.values()) bytes += progress[part]
    return bytes
  }

  return {
    resume(stored, now, isChecked) {
      isChecking = !isChecked
      storedBytes = stored.reduce((bytes, { start, end }) => bytes + end - start, 0)
      mostSent = storedBytes
      throughput.startOver(mostSent, now)
    },
    startOver: (now) => throughput.startOver(mostSent, now),
    report({ index, start, end, sealedBytes: wholeSealed }, { sealedBytes, sentBytes }) {
      const sent = Math.floor(((end - start) * sentBytes) / wholeSealed)
      underWay.set(index, { sealed: Math.max(sealedBytes, underWay.get(index)?.sealed ?? 0), sent })
    },
    stored({ index, start, end }) {
      underWay.delete(index)
      storedBytes += end - start
    },
    measure(now, isPaused) {
      const sealedBytes = sum('sealed')
      mostSent = Math.max(mostSent, sum('sent'))
      throughput.observe(mostSent, now)
      return {
        status: 'sending',
        phase: isChecking ? 'checking' : sealedBytes < totalBytes ? 'encrypting' : 'encrypted',
        isPaused,
        sealedBytes,
        sentBytes: mostSent,
        totalBytes,
        bytesPerSecond: throughput.bytesPerSecond,
        startedAt,
      }
    },
  }
}
