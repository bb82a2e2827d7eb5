import { listLimits } from '@sallyport/contract/server-limits'
import { refuse } from '../errors.ts'

interface ListSlotRequest {
  /** Who asks, and for which list. */
  readonly key: string
  /** Settles once the answer has been sent, or the connection is closed. */
  readonly closed: Promise<void>
}

export interface ListSlots {
  /** Reads a list once the caller's earlier ones have been sent. Refuses with `RATE_LIMITED` when too many wait. */
  run<Result>(request: ListSlotRequest, read: () => Promise<Result>): Promise<Result>
}

interface Queue {
  readonly waiting: (() => void)[]
}

/** One list at a time for each key; the slot is held until the answer is sent, so that answers nobody reads do not add up. */
export function createListSlots({ waiting: mostWaiting, waitMs } = listLimits as ListSlotLimits): ListSlots {
  const queues = new Map<string, Queue>()

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
    async run(request, read) {
      await acquire(request)
      void request.closed.then(() => release(request.key))
      return read()
    },
  }
}

interface ListSlotLimits {
  /** Requests that may wait for each key. */
  readonly waiting: number
  readonly waitMs: number
}

const busy = () => refuse('RATE_LIMITED', { retryAfterSeconds: 1 })
