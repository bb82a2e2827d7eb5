import { setTimeout as wait } from 'node:timers/promises'
import { ignore } from '@sallyport/contract/ignore'

/** What has expired, or stored bytes that no row refers to. */
export type ErasedKind = 'expired' | 'orphaned'

/** What was deleted. */
export interface Erased {
  readonly files: number
  /** Of the files. */
  readonly bytes: number
  /** Rows other than files. */
  readonly entries: number
  /** Orphans that stay, because they are suspiciously many of the stored files. */
  readonly tooMany?: { readonly orphans: number; readonly files: number }
}

export const nothing: Erased = { files: 0, bytes: 0, entries: 0 }

interface JobBase {
  readonly name: string
  readonly everyMs: number
}

interface PlainJob extends JobBase {
  readonly erases?: undefined
  /** Depends on the time so much that it does not run while that may be wrong. */
  readonly needsRightTime?: true
  /** Runs once; returns early when the signal is aborted. */
  run(signal: AbortSignal): Promise<void>
}

/** Deletes something because of its age, which is not done while the time may be wrong. */
interface ErasingJob extends JobBase {
  readonly erases: ErasedKind
  /** Runs once; returns early when the signal is aborted. */
  run(signal: AbortSignal): Promise<Erased>
}

export type Job = PlainJob | ErasingJob

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
  const lastRuns = new Map<JobBase, Promise<unknown>>()
  let running: readonly Promise<void>[] = []

  /** Runs the job once its last run has ended. */
  function runNext<Result>(job: JobBase, start: () => Promise<Result>): Promise<Result> {
    const run = (lastRuns.get(job) ?? Promise.resolve()).then(start)
    lastRuns.set(
      job,
      run.catch((error: unknown) => ignore(error, 'reported to the caller of this run')),
    )
    return run
  }

  async function runPeriodically(job: Job): Promise<void> {
    while (!signal.aborted) {
      await wait(job.everyMs * (1 + Math.random() * jitter), undefined, { signal, ref: false }).catch(
        (error: unknown) => ignore(error, 'the scheduler stops'),
      )
      if (signal.aborted) return
      if (needsRightTime(job) && !isTimeRight()) continue
      await runNext<unknown>(job, () => job.run(signal)).catch((error: unknown) => {
        if (!signal.aborted) onError(error, job.name)
      })
    }
  }

  return {
    start(): void {
      if (running.length === 0) running = jobs.map(runPeriodically)
    },

    /** Runs all jobs that erase this, one after another, and counts what they delete. The caller has checked the time. */
    async erase(kind: ErasedKind, limit: AbortSignal): Promise<Erased> {
      const erased: Erased[] = []
      const stop = AbortSignal.any([signal, limit])
      for (const job of jobs)
        if (job.erases === kind && !stop.aborted) erased.push(await runNext(job, () => job.run(stop)))
      return sumOf(erased)
    },

    /** Starts no further runs and waits for the current ones. */
    async stop(): Promise<void> {
      stopController.abort()
      await Promise.all([...running, ...lastRuns.values()])
    },
  }
}

const needsRightTime = (job: Job): boolean => job.erases !== undefined || job.needsRightTime === true

export type Scheduler = ReturnType<typeof createScheduler>

/** Adds up what several runs have deleted. */
export function sumOf(erased: readonly Erased[]): Erased {
  const sum = (field: 'files' | 'bytes' | 'entries'): number => erased.reduce((total, each) => total + each[field], 0)
  const tooMany = erased.find((each) => each.tooMany)?.tooMany
  return { files: sum('files'), bytes: sum('bytes'), entries: sum('entries'), ...(tooMany && { tooMany }) }
}
