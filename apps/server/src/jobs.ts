import { setTimeout as wait } from 'node:timers/promises'
import { ignore } from '@sallyport/contract/ignore'

export interface Job {
  readonly name: string
  readonly everyMs: number
  /** Deletes or ends what has expired, which is not done while the time may be wrong: it could not be undone. */
  readonly erases?: true
  /** Runs once; returns early when the signal is aborted. */
  run(signal: AbortSignal): Promise<void>
}

interface SchedulerDeps {
  readonly jobs: readonly Job[]
  readonly isTimeRight: () => boolean
  readonly onError: (error: unknown, job: string) => void
}

/** Maximum random delay, as a fraction of the period, so that nodes do not run at the same moment. */
const jitter = 0.1

/**
 * Runs each job periodically and never concurrently with itself. A failed run is reported and does not stop the job; jobs
 * that erase do not run while the time may be wrong.
 */
export function createScheduler({ jobs, isTimeRight, onError }: SchedulerDeps) {
  const stopController = new AbortController()
  const { signal } = stopController
  let running: readonly Promise<void>[] = []

  async function runPeriodically(job: Job): Promise<void> {
    while (!signal.aborted) {
      await wait(job.everyMs * (1 + Math.random() * jitter), undefined, { signal, ref: false }).catch(
        (error: unknown) => ignore(error, 'the scheduler stops'),
      )
      if (signal.aborted) return
      if (job.erases && !isTimeRight()) continue
      await job.run(signal).catch((error: unknown) => {
        if (!signal.aborted) onError(error, job.name)
      })
    }
  }

  return {
    start(): void {
      if (running.length === 0) running = jobs.map(runPeriodically)
    },
    /** Starts no further runs and waits for the current ones. */
    async stop(): Promise<void> {
      stopController.abort()
      await Promise.all(running)
    },
  }
}
