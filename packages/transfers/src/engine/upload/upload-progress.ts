import { createThroughput } from '@sallyport/client/throughput'
import type { TransferEnd } from '../transfer.ts'
import type { ChunkProgress } from './encrypt-worker.ts'
import type { Chunk } from './plan.ts'

export type UploadState = { readonly status: 'waiting' } | UploadSending | UploadEnd

export interface UploadSending {
  readonly status: 'sending'
  /**
   * `checking` while a resumed file is compared with what was sent of it; `encrypted` after the last record is sealed,
   * while sending continues.
   */
  readonly phase: 'checking' | 'encrypting' | 'encrypted'
  /** The server is away; the upload continues when it is back. */
  readonly isPaused: boolean
  /** Plain bytes of the file that are sealed. */
  readonly sealedBytes: number
  /** Plain bytes of the file that have been sent. Never decreases, although a chunk may be sent again. */
  readonly sentBytes: number
  readonly totalBytes: number
  readonly bytesPerSecond: number
  /** Epoch milliseconds. */
  readonly startedAt: number
}

export type UploadEnd = TransferEnd<{ readonly fileId: string }>

export interface UploadProgress {
  /** Counts chunks that the server already has; `isChecked` once the file was compared with them. */
  resume(stored: readonly Chunk[], now: number, isChecked: boolean): void
  /** Restarts the speed measurement after a time offline. */
  resetSpeed(now: number): void
  report(chunk: Chunk, progress: ChunkProgress): void
  chunkStored(chunk: Chunk): void
  /** Returns the total progress, with the speed measured up to now. */
  measure(now: number, isPaused: boolean): UploadSending
}

/** Sums up the chunks in progress and the stored ones, in plain bytes. */
export function createUploadProgress(totalBytes: number, startedAt: number): UploadProgress {
  const inProgress = new Map<number, { sealed: number; sent: number }>()
  const throughput = createThroughput(startedAt)
  let storedBytes = 0
  let maxSent = 0
  let isChecking = false

  const sum = (part: 'sealed' | 'sent'): number => {
    let bytes = storedBytes
    for (const progress of inProgress.values()) bytes += progress[part]
    return bytes
  }

  return {
    resume(stored, now, isChecked) {
      isChecking = !isChecked
      storedBytes = stored.reduce((bytes, { start, end }) => bytes + end - start, 0)
      maxSent = storedBytes
      throughput.reset(maxSent, now)
    },
    resetSpeed: (now) => throughput.reset(maxSent, now),
    report({ index, start, end, sealedBytes: chunkSealedBytes }, { sealedBytes, sentBytes }) {
      const sent = Math.floor(((end - start) * sentBytes) / chunkSealedBytes)
      inProgress.set(index, { sealed: Math.max(sealedBytes, inProgress.get(index)?.sealed ?? 0), sent })
    },
    chunkStored({ index, start, end }) {
      inProgress.delete(index)
      storedBytes += end - start
    },
    measure(now, isPaused) {
      const sealedBytes = sum('sealed')
      maxSent = Math.max(maxSent, sum('sent'))
      throughput.observe(maxSent, now)
      return {
        status: 'sending',
        phase: isChecking ? 'checking' : sealedBytes < totalBytes ? 'encrypting' : 'encrypted',
        isPaused,
        sealedBytes,
        sentBytes: maxSent,
        totalBytes,
        bytesPerSecond: throughput.bytesPerSecond,
        startedAt,
      }
    },
  }
}
