import { hashingLimits } from '@sallyport/contract/server-limits'
import { apiError } from '../../errors.ts'
import { callerKey } from '../http/address-blocks.ts'
import { createFairQueue, type FairQueue } from './fair-queue.rules.ts'

/** The purpose of a hash. Neither kind of work can block the other. */
export type HashingQueue = 'sign-in' | 'account'

/** The caller for whom a hash is computed. */
export interface HashingCaller {
  readonly queue: HashingQueue
  /** Address block of the request; empty for internal work. */
  readonly address: string
  /** Set for a signed-in caller. */
  readonly userId?: string
}

/** The caller of account-related work, for a request or the server itself. */
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
  /** Since the process started. */
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

/** Limits the concurrent and waiting slow hashes. `run` rejects with 503 when its queue is full. */
export interface PasswordHashing {
  run<Result>(caller: HashingCaller, work: () => Promise<Result>): Promise<Result>
  status(queue: HashingQueue): HashingStatus
}

export const hashingQueues: readonly HashingQueue[] = ['sign-in', 'account']

/**
 * Computes two slow hashes concurrently, so that threads remain for file I/O. Each of the two queues owns one slot and
 * borrows the other's while that queue is empty. Queues are bounded, and fair by the caller's network.
 */
export function createPasswordHashing(): PasswordHashing {
  const queues: Readonly<Record<HashingQueue, QueueState>> = { 'sign-in': emptyQueue(), account: emptyQueue() }

  const runningInAll = (): number => queues['sign-in'].running + queues.account.running

  /** Serves the queue with fewer running hashes first, so that each gets its own slot back with the next hash. */
  function startNext(): void {
    while (runningInAll() < hashingLimits.concurrent) {
      const ready = Object.values(queues).filter(({ waiting }) => waiting.size() > 0)
      const [next] = ready.sort((one, other) => one.running - other.running)
      if (!next) return
      next.running += 1
      next.waiting.shift()?.start()
    }
  }

  function waitForSlot({ queue, address, userId }: HashingCaller): Promise<void> {
    return new Promise((resolve, reject) => {
      const displaced = queues[queue].waiting.push(callerKey(address, userId), { start: resolve, reject })
      if (displaced) {
        queues[queue].rejected += 1
        displaced.reject(apiError('UNAVAILABLE', { retryAfterSeconds: hashingLimits.retryAfterSeconds }))
      }
      startNext()
    })
  }

  return {
    async run(caller, work) {
      await waitForSlot(caller)
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
