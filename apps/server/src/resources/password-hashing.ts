import { hashingLimits } from '@sallyport/contract/server-limits'
import { refuse } from '../errors.ts'
import { callerKey } from './address-blocks.ts'
import { createFairQueue, type FairQueue } from './fair-queue.rules.ts'

/** What a hash is computed for: neither kind of work can hold up the other. */
export type HashingQueue = 'sign-in' | 'account'

/** On whose behalf a hash is computed. */
export interface HashingCaller {
  readonly queue: HashingQueue
  /** The block of addresses of the request; empty for work of the server itself. */
  readonly address: string
  /** Of a caller who is signed in. */
  readonly userId?: string
}

/** Work on an account on behalf of a request, or of the server itself. */
export const accountWork = (address = '', userId?: string): HashingCaller => ({
  queue: 'account',
  address,
  ...(userId !== undefined && { userId }),
})

interface WaitingHash {
  readonly start: () => void
  readonly reject: (error: Error) => void
}

interface HashingStatus {
  readonly waiting: number
  /** Since the start of the process. */
  readonly rejected: number
}

interface QueueState {
  readonly waiting: FairQueue<WaitingHash>
  running: number
  rejected: number
}

const emptyQueue = (): QueueState => ({
  waiting: createFairQueue({ length: hashingLimits.waiting, lengthPerOwner: hashingLimits.waitingPerAddress }),
  running: 0,
  rejected: 0,
})

/** Limits how many slow hashes are computed and wait; `run` rejects with 503 when its queue is full. */
export interface PasswordHashing {
  run<Result>(caller: HashingCaller, work: () => Promise<Result>): Promise<Result>
  status(queue: HashingQueue): HashingStatus
}

export const hashingQueues: readonly HashingQueue[] = ['sign-in', 'account']

/**
 * Two slow hashes are computed at once, so that threads remain for files. Each of the two queues owns one of the
 * places, and borrows the other's while nothing waits there. A queue is bounded, and fair by the network of the caller.
 */
export function createPasswordHashing(): PasswordHashing {
  const queues: Readonly<Record<HashingQueue, QueueState>> = { 'sign-in': emptyQueue(), account: emptyQueue() }

  const runningInAll = (): number => queues['sign-in'].running + queues.account.running

  /** The queue with less work under way goes first, so that each gets its own place back at the next hash. */
  function startNext(): void {
    while (runningInAll() < hashingLimits.atOnce) {
      const ready = Object.values(queues).filter(({ waiting }) => waiting.size() > 0)
      const [next] = ready.sort((one, other) => one.running - other.running)
      if (!next) return
      next.running += 1
      next.waiting.shift()?.start()
    }
  }

  function enter({ queue, address, userId }: HashingCaller): Promise<void> {
    return new Promise((resolve, reject) => {
      const displaced = queues[queue].waiting.push(callerKey(address, userId), { start: resolve, reject })
      if (displaced) {
        queues[queue].rejected += 1
        displaced.reject(refuse('UNAVAILABLE', { retryAfterSeconds: hashingLimits.retryAfterSeconds }))
      }
      startNext()
    })
  }

  return {
    async run(caller, work) {
      await enter(caller)
      try {
        return await work()
      } finally {
        queues[caller.queue].running -= 1
        startNext()
      }
    },
    status: (queue) => ({ waiting: queues[queue].waiting.size(), rejected: queues[queue].rejected }),
  }
}
