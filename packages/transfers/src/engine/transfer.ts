import { type Clock, runEvery } from '@sallyport/client/clock'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { transferLimits } from '@sallyport/contract/limits'

/** How an upload, a download or an archive ends; `Done` is what a completed one has in addition. */
export type TransferEnd<Done> =
  | ({ readonly status: 'done' } & Done)
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly error: Error }

/** Whether nothing more happens to a transfer in this state. */
export const hasEnded = ({ status }: { readonly status: string }): boolean =>
  status === 'done' || status === 'failed' || status === 'cancelled'

interface TransferControl<State> extends Observable<State> {
  /** Stops at once. Does nothing once the transfer has ended. */
  cancel(): void
  /** Aborted by `cancel`. */
  readonly signal: AbortSignal
  /** Does nothing after `cancel`. */
  setState(state: State): void
}

/** The state of a transfer that waits until its work publishes another one, or until it is cancelled. */
export function createTransferControl<State extends { readonly status: string }>(
  cancelledMessage: string,
): TransferControl<State | { readonly status: 'waiting' | 'cancelled' }> {
  const state = createSubject<State | { readonly status: 'waiting' | 'cancelled' }>({ status: 'waiting' })
  const cancelling = new AbortController()
  const { signal } = cancelling
  return {
    current: state.current,
    subscribe: state.subscribe,
    signal,
    setState(next) {
      if (!signal.aborted) state.set(next)
    },
    cancel() {
      if (signal.aborted || hasEnded(state.current())) return
      cancelling.abort(new DOMException(cancelledMessage, 'AbortError'))
      state.set({ status: 'cancelled' })
    },
  }
}

/** Publishes progress before the work and regularly until it has ended. */
export async function withProgress<Result>(
  clock: Clock,
  publish: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController()
  publish()
  runEvery(transferLimits.progressEveryMs, publish, { clock, signal: done.signal })
  try {
    return await work()
  } finally {
    done.abort()
  }
}

export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
