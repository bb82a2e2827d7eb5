import { setTimeout as wait } from 'node:timers/promises'
import { ignore } from '@sallyport/contract/ignore'
import { sweepLimits } from '@sallyport/contract/server-limits'
import type { Logger } from 'pino'

export interface Job {
  readonly name: string
  readonly everyMs: number
  /** Runs once; returns early when the signal is aborted. */
  run(signal: AbortSignal): Promise<void>
}

interface SchedulerDeps {
  readonly jobs: readonly Job[]
  readonly onError: (error: unknown, job: string) => void
}

/** Maximum random delay, as a fraction of the period, so that nodes do not run at the same moment. */
const jitter = 0.1

/**
 * Runs each job periodically and never concurrently with itself. A failed run is reported and does not stop the job.
 */
export function createScheduler({ jobs, onError }: SchedulerDeps) {
  const stopController = new AbortController()
  const { signal } = stopController
  let running: readonly Promise<void>[] = []

  async function runPeriodically(job: Job): Promise<void> {
    while (!signal.aborted) {
      await wait(job.everyMs * (1 + Math.random() * jitter), undefined, { signal, ref: false }).catch(
        (error: unknown) => ignore(error, 'the scheduler stops'),
      )
      if (signal.aborted) return
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

export interface ClockJumpDeps {
  /** The database's time in epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds of a monotonic clock. */
  readonly monotonic?: (() => number) | undefined
  readonly log: Pick<Logger, 'error'>
}

/**
 * The job, except that it skips one run and logs an error when the clock was set by more than an hour since the run
 * before. Files that are removed because of a wrong clock cannot be restored.
 */
export function skipAfterClockJump(job: Job, { now, monotonic = () => performance.now(), log }: ClockJumpDeps): Job {
  let previous: { readonly now: number; readonly monotonic: number } | null = null
  return {
    ...job,
    async run(signal) {
      const current = { now: now(), monotonic: monotonic() }
      const jumpMs = previous ? current.now - previous.now - (current.monotonic - previous.monotonic) : 0
      previous = current
      if (Math.abs(jumpMs) <= sweepLimits.clockJumpMs) return job.run(signal)
      log.error({ jumpMs, job: job.name }, 'the clock was set; skipping one run')
    },
  }
}
