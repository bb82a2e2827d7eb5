import { files } from '@sallyport/contract/files'
import { transferLimits } from '@sallyport/contract/limits'
import type { Call } from './call.ts'
import type { Clock } from './clock.ts'

interface Warmth {
  readonly call: Call
  readonly clock: Clock
  /** Ends it. */
  readonly signal: AbortSignal
}

/** Keeps connections open so that the first byte of an upload does not wait for handshakes. Never rejects. */
export async function keepConnectionsWarm({ call, clock, signal }: Warmth): Promise<void> {
  const warmUp = () => call(files.warmUp, {}, { signal }).catch(() => undefined)
  try {
    while (!signal.aborted) {
      await Promise.all(Array.from({ length: transferLimits.warmConnections }, warmUp))
      await clock.wait(transferLimits.warmEveryMs, signal)
    }
  } catch {
    // The signal ended the wait.
  }
}
