import { remainingSeconds } from '@sallyport/client/throughput'
import { type DescribeError, messageFor } from '#/strings/errors/message-for.ts'
import { fileStrings } from '#/strings/files.ts'
import { transferStrings } from '#/strings/transfers.ts'
import type { TransferState } from './transfer-state.ts'

/** Speed and time left are unreliable until a transfer has run for this long. */
const estimateAfterMs = 3000

type InactiveState =
  | { readonly status: 'waiting' | 'done' | 'cancelled' }
  | { readonly status: 'failed'; readonly error: Error }

/** The state to show for a transfer without progress. */
export function phaseOf(state: InactiveState, describe: DescribeError): TransferState {
  if (state.status === 'failed')
    return {
      phase: 'failed',
      message: messageFor(state.error, transferStrings.unexpected, describe),
      deliveredBytes: 0,
    }
  return { phase: state.status }
}

/** What is drawn while a file that has arrived is decrypted on the disk. */
export function decryptingPhase({ decryptedBytes }: { readonly decryptedBytes: number }): TransferState {
  return {
    phase: 'moving',
    isDecrypting: true,
    deliveredBytes: decryptedBytes,
    bytesPerSecond: null,
    secondsLeft: null,
  }
}

/** Why a transfer does not move: the network of this device or the server is away. */
export const pauseReason = (): string =>
  navigator.onLine ? fileStrings.waitingForServer : fileStrings.waitingForNetwork

interface ProgressInput {
  readonly deliveredBytes: number
  readonly totalBytes: number
  readonly bytesPerSecond: number
  /** Epoch milliseconds. */
  readonly startedAt: number
}

/** Speed and time left, as far as they can be estimated yet. */
export function figuresOf({ deliveredBytes, totalBytes, bytesPerSecond, startedAt }: ProgressInput, now: number) {
  const hasEstimate = now - startedAt >= estimateAfterMs
  return {
    deliveredBytes,
    bytesPerSecond: bytesPerSecond > 0 ? bytesPerSecond : null,
    secondsLeft: hasEstimate ? remainingSeconds(totalBytes - deliveredBytes, bytesPerSecond) : null,
  }
}
