import { files } from '@sallyport/contract/files'
import { ignore } from '@sallyport/contract/ignore'
import { transferLimits } from '@sallyport/contract/limits'
import type { Call } from './call.ts'
import type { Clock } from './clock.ts'

interface WarmConnectionsInput {
  readonly call: Call
  readonly clock: Clock
  /** Stops it. */
  readonly signal: AbortSignal
}

/** Holds connections open so that the first byte of an upload does not wait for handshakes. Never rejects. */
export async function keepConnectionsWarm({ call, clock, signal }: WarmConnectionsInput): Promise<void> {
  const warmUp = () =>
    call(files.warmUp, {}, { signal }).catch((error) => ignore(error, 'the next request opens a connection'))
  try {
    while (!signal.aborted) {
      await Promise.all(Array.from({ length: transferLimits.warmConnections }, warmUp))
      await clock.wait(transferLimits.warmEveryMs, signal)
    }
  } catch {
    // The signal ended the wait.
  }
}
