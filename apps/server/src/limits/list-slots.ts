import { listLimits } from '@sallyport/contract/server-limits'
import { refuse } from '../errors.ts'
import { createListPace } from './list-pace.ts'

interface ListSlotRequest {
  /** Who asks, and for which list. */
  readonly key: string
  /** Who the bytes of the list count for: an account or a network. */
  readonly caller: string
  /** Settles once the answer has been sent, or the connection is closed. */
  readonly closed: Promise<void>
}

export interface ListSlots {
  /**
   * Reads a list once the earlier ones under its key have been sent, at the pace of the process. Refuses with
   * `RATE_LIMITED` when too many wait under the key, with `UNAVAILABLE` when too many wait at all.
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

/** One list at a time for each key; the slot is held until the answer is sent, so that answers nobody reads do not add up. */
export function createListSlots({ waiting: mostWaiting, waitMs } = listLimits as ListSlotLimits): ListSlots {
  const queues = new Map<string, Queue>()
  const pace = createListPace(listLimits)

  async function acquire({ key, closed }: ListSlotRequest): Promise<void> {
    const queue = queues.get(key)
    if (!queue) {
      queues.set(key, { waiting: [] })
      return
    }
    if (queue.waiting.length >= mostWaiting) throw busy()
    const turn = Promise.withResolvers<void>()
    queue.waiting.push(turn.resolve)
    const leave = () => {
      const index = queue.waiting.indexOf(turn.resolve)
      if (index === -1) return
      queue.waiting.splice(index, 1)
      turn.reject(busy())
    }
    const timer = setTimeout(leave, waitMs)
    void closed.then(leave)
    try {
      await turn.promise
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
      return pace.run(request.caller, read, (result) => bytesOf(rowsOf(result)))
    },
  }
}

interface ListSlotLimits {
  /** Requests that may wait for each key. */
  readonly waiting: number
  readonly waitMs: number
}

/** Name, quotes and commas of a field, or a number. */
const bytesBesideText = 16

/** About as long as these rows are in an answer. */
const bytesOf = (rows: readonly object[]): number => rows.reduce((sum, row) => sum + bytesOfRow(row), 0)

const bytesOfRow = (row: object): number =>
  Object.values(row).reduce((sum, value) => sum + bytesBesideText + (typeof value === 'string' ? value.length : 0), 0)

const busy = () => refuse('RATE_LIMITED', { retryAfterSeconds: 1 })
