import { secondsLeft } from '@sallyport/client/throughput'
import type { TransferState } from './transfer-state.ts'

/** Speeds and times left are guesses until a transfer has run for this long. */
const settledMs = 3000

type QuietState =
  | { readonly status: 'waiting' | 'done' | 'cancelled' }
  | { readonly status: 'failed'; readonly error: Error }

/** What is drawn of a transfer that is not moving. */
export function phaseOf(state: QuietState): TransferState {
  if (state.status === 'failed') return { phase: 'failed', message: state.error.message, deliveredBytes: 0 }
  return { phase: state.status }
}

interface Moving {
  readonly deliveredBytes: number
  readonly totalBytes: number
  readonly bytesPerSecond: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

/** Speed and time left, as far as they can be told by now. */
export function figuresOf({ deliveredBytes, totalBytes, bytesPerSecond, startedAt }: Moving, now: number) {
  const isSettled = now - startedAt >= settledMs
  return {
    deliveredBytes,
    bytesPerSecond: bytesPerSecond > 0 ? bytesPerSecond : null,
    secondsLeft: isSettled ? secondsLeft(totalBytes - deliveredBytes, bytesPerSecond) : null,
  }
}
