import type { ServerContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import type { Payment, StalePayment, StalePaymentsStore } from './stale-payments.store.ts'

interface StalePaymentsDeps extends Pick<ServerContext, 'now' | 'onError'> {
  readonly store: StalePaymentsStore
  /**
   * Reads a payment from the provider and stores what it says, one at a time for each account. Returns false if it was
   * not read, because `isStillStale` says that another node has done so.
   */
  readonly read: (payment: Payment, isStillStale: () => Promise<boolean>) => Promise<boolean>
}

const batch = 100
const readAtOnce = 4
const secondMs = 1000
const longestWaitMs = 60 * 60 * secondMs

/** Reads again what may have changed at the provider, until it has succeeded. */
export function createStalePayments({ store, read, now, onError }: StalePaymentsDeps) {
  let running: Promise<void> = Promise.resolve()

  /** Returns false if the provider is away. */
  async function readOne(row: StalePayment): Promise<boolean> {
    const payment = { kind: row.kind as Payment['kind'], providerId: row.provider_id }
    try {
      if (await read(payment, () => store.isUnchanged(row))) await store.remove(row)
      return true
    } catch (error) {
      await store.postpone(row, now() + waitAfter(row.attempts))
      onError(new Error(`The ${row.kind} ${row.provider_id} could not be read`, { cause: error }))
      return !(error instanceof ApiError && error.code === 'PAYMENTS_AWAY')
    }
  }

  /** Reads what was due when it began, each once; the rest waits if the provider is away. */
  async function readDue(signal: AbortSignal | undefined): Promise<void> {
    const startedAt = now()
    for (let count = batch; count === batch && !signal?.aborted; ) {
      const due = await store.due(startedAt, batch)
      count = due.length
      for (let first = 0; first < due.length && !signal?.aborted; first += readAtOnce) {
        const answered = await Promise.all(due.slice(first, first + readAtOnce).map(readOne))
        if (answered.includes(false)) return
      }
    }
  }

  /** Reads what is due, after a run that has begun before. */
  function run(signal?: AbortSignal): Promise<void> {
    running = running.catch(() => undefined).then(() => readDue(signal))
    return running
  }

  return {
    run,
    /** Reads what is due soon, without waiting for it. */
    wake: (): void => void run().catch(onError),
  }
}

export type StalePayments = ReturnType<typeof createStalePayments>

/** Doubles with each attempt, up to an hour, and differs between payments that failed together. */
const waitAfter = (attempts: number): number =>
  Math.round(Math.min(2 ** Math.min(attempts, 20) * secondMs, longestWaitMs) * (0.5 + Math.random() / 2))
