import { type Clock, isTimeout, withDeadline } from '../clock.ts'
import { NetworkError } from '../errors.ts'
import { readWhole, send } from '../http.ts'
import type { SendBytes } from './seal-lane.ts'

interface Means {
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
}

/** Sends sealed bytes where there is no `XMLHttpRequest`; `fetch` tells of progress only when all has left. */
export function sendByFetch({ fetch, clock }: Means): SendBytes {
  return async ({ request, body, timeoutMs, onSent, signal }) => {
    try {
      return await withDeadline({ clock, timeoutMs, signal }, async (ending) => {
        const response = await send(fetch, { ...request, body }, ending)
        onSent(body instanceof Blob ? body.size : body.length)
        return { kind: 'answered' as const, ...(await readWhole(response, ending)) }
      })
    } catch (error) {
      if (isTimeout(error)) return { kind: 'timeout' }
      if (error instanceof NetworkError) return { kind: 'unreachable' }
      throw error
    }
  }
}
