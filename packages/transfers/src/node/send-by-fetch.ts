import { type Clock, isTimeout, withDeadline } from '@sallyport/client/clock'
import { NetworkError } from '@sallyport/client/errors'
import { bufferResponse, sendRequest } from '@sallyport/client/http'
import type { SendBytes } from '../engine/upload/encrypt-worker.ts'

interface SendByFetchDeps {
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
}

/**
 * Sends sealed bytes where there is no `XMLHttpRequest`. `fetch` reports progress only after the whole body is sent.
 */
export function sendByFetch({ fetch, clock }: SendByFetchDeps): SendBytes {
  return async ({ request, body, timeoutMs, onSent, signal }) => {
    try {
      return await withDeadline({ clock, timeoutMs, signal }, async (deadlineSignal) => {
        const response = await sendRequest(fetch, { ...request, body }, deadlineSignal)
        onSent(body instanceof Blob ? body.size : body.length)
        return { kind: 'answered' as const, ...(await bufferResponse(response, deadlineSignal)) }
      })
    } catch (error) {
      if (isTimeout(error)) return { kind: 'timeout' }
      if (error instanceof NetworkError) return { kind: 'unreachable' }
      throw error
    }
  }
}
