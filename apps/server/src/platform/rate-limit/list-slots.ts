import { listLimits } from '@sallyport/contract/server-limits'
import { apiError } from '../../errors.ts'
import { createListThrottle } from './list-throttle.ts'

interface ListSlotRequest {
  /** The caller and the list. */
  readonly key: string
  /** The account or network that the bytes of the list count for. */
  readonly caller: string
  /** Resolves once the response has been sent or the connection is closed. */
  readonly closed: Promise<void>
}

export interface ListSlots {
  /**
   * Reads a list once the responses of earlier requests with its key have been sent, throttled per process. Throws
   * `RATE_LIMITED` when too many requests wait under the key, `UNAVAILABLE` when too many wait in the process.
   */
  run<Result>(
    request: ListSlotRequest,
    read: () => Promise<Result>,
    rowsOf: (result: Result) => readonly object[],
  ): Promise<Result>
}

interface Queue {
  readonly waiting: (() => void)[]
}

/**
 * Reads one list at a time per key. The slot is held until the response is sent, so that unread responses do not add
 * up.
 */
export function createListSlots({ waiting: maxWaiting, waitMs } = listLimits as ListSlotLimits): ListSlots {
  const queues = new Map<string, Queue>()
  const throttle = createListThrottle(listLimits)

  async function acquire({ key, closed }: ListSlotRequest): Promise<void> {
    const queue = queues.get(key)
    if (!queue) {
      queues.set(key, { waiting: [] })
      return
    }
    if (queue.waiting.length >= maxWaiting) throw busyError()
    const grant = Promise.withResolvers<void>()
    queue.waiting.push(grant.resolve)
    const cancel = () => {
      const index = queue.waiting.indexOf(grant.resolve)
      if (index === -1) return
      queue.waiting.splice(index, 1)
      grant.reject(busyError())
    }
    const timer = setTimeout(cancel, waitMs)
    void closed.then(cancel)
    try {
      await grant.promise
    } finally {
      clearTimeout(timer)
    }
  }

  function release(key: string): void {
    const next = queues.get(key)?.waiting.shift()
    if (next) next()
    else queues.delete(key)
  }

  return {
    async run(request, read, rowsOf) {
      await acquire(request)
      void request.closed.then(() => release(request.key))
      return throttle.run(request.caller, read, (result) => bytesOf(rowsOf(result)))
    },
  }
}

interface ListSlotLimits {
  /** Requests that may wait per key. */
  readonly waiting: number
  readonly waitMs: number
}

/** Name, quotes and commas of a field, or a number. */
const fieldOverheadBytes = 16

/** Estimates the size of these rows in a response. */
const bytesOf = (rows: readonly object[]): number => rows.reduce((sum, row) => sum + bytesOfRow(row), 0)

const bytesOfRow = (row: object): number =>
  Object.values(row).reduce(
    (sum, value) => sum + fieldOverheadBytes + (typeof value === 'string' ? value.length : 0),
    0,
  )

const busyError = () => apiError('RATE_LIMITED', { retryAfterSeconds: 1 })
