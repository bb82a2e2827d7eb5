import { createThroughput } from '../throughput.ts'
import type { Chunk } from './plan.ts'
import type { LaneProgress } from './seal-lane.ts'
import type { UploadSending } from './upload-state.ts'

export interface UploadProgress {
  report(chunk: Chunk, progress: LaneProgress): void
  stored(chunk: Chunk): void
  /** The progress as a whole, its speed counted up to now. */
  measure(now: number): UploadSending
}

/** Adds up what the chunks under way and the finished ones amount to, in plain bytes. */
export function createUploadProgress(totalBytes: number, startedAt: number): UploadProgress {
  const underWay = new Map<number, { sealed: number; sent: number }>()
  const throughput = createThroughput(startedAt)
  let storedBytes = 0
  let mostSent = 0

  const sum = (part: 'sealed' | 'sent'): number => {
    let bytes = storedBytes
    for (const progress of underWay.values()) bytes += progress[part]
    return bytes
  }

  return {
    report({ index, start, end, sealedBytes: wholeSealed }, { sealedBytes, sentBytes }) {
      const sent = Math.floor(((end - start) * sentBytes) / wholeSealed)
      underWay.set(index, { sealed: Math.max(sealedBytes, underWay.get(index)?.sealed ?? 0), sent })
    },
    stored({ index, start, end }) {
      underWay.delete(index)
      storedBytes += end - start
    },
    measure(now) {
      const sealedBytes = sum('sealed')
      mostSent = Math.max(mostSent, sum('sent'))
      throughput.observe(mostSent, now)
      return {
        status: 'sending',
        phase: sealedBytes < totalBytes ? 'encrypting' : 'encrypted',
        sealedBytes,
        sentBytes: mostSent,
        totalBytes,
        bytesPerSecond: throughput.bytesPerSecond,
        startedAt,
      }
    },
  }
}
