import { createSubject, type Observable } from '@sallyport/client/observable'
import { lastPartOf } from '@sallyport/crypto'
import { isActive, type JobState, mayFollow, type TransferJob, type TransferKind } from './job.ts'
import type { CompletedUploads } from './upload/upload-queue.ts'

/** Transfers that can be observed and controlled. Commands for an id that is not listed do nothing. */
export interface JobList extends Observable<readonly TransferJob[]> {
  /** Completed jobs, also those that have left the list since it was idle; absent where completed jobs do not leave it. */
  completed?(): CompletedUploads
  cancel(id: string): void
  /** Restarts a failed or cancelled job, and the file that has paused an archive. */
  retry(id: string): void
  /** Continues without the file that has paused an archive. */
  skip?(id: string): void
  /** Removes an ended job. */
  dismiss(id: string): void
}

interface JobInput {
  readonly name: string
  /** Plain bytes; 0 until they are known. */
  readonly size: number
}

/** What `run` has started. */
export interface JobRun {
  cancel(): void
  /** Retries the file that has paused it. */
  retry?(): void
  /** Continues without the file that has paused it. */
  skip?(): void
}

interface JobListDeps<Input> {
  readonly kind: TransferKind
  /** Starts the work of a job and publishes its states until it ends. */
  readonly run: (input: Input, update: (state: JobState, sizeBytes?: number) => void) => JobRun
}

/** A list whose jobs start at once. */
export function createJobList<Input extends JobInput>({ kind, run }: JobListDeps<Input>) {
  const jobs = createSubject<readonly TransferJob[]>([])
  const runs = new Map<string, { readonly input: Input; run?: JobRun }>()
  let lastNumber = 0

  const find = (id: string) => jobs.current().find((job) => job.id === id)
  const set = (changed: TransferJob) => jobs.set(jobs.current().map((job) => (job.id === changed.id ? changed : job)))

  function runJob(id: string, input: Input): void {
    const current: { readonly input: Input; run?: JobRun } = { input }
    runs.set(id, current)
    current.run = run(input, (state, sizeBytes) => {
      const job = find(id)
      // A run that was cancelled may still report when the job has been restarted.
      if (!job || runs.get(id) !== current || !mayFollow(job.state.status, state.status)) return
      set({ ...job, state, sizeBytes: sizeBytes ?? job.sizeBytes })
    })
  }

  return {
    current: jobs.current,
    subscribe: jobs.subscribe,
    /** Returns the id of the job. */
    start(input: Input): string {
      lastNumber += 1
      const id = `${kind}-${lastNumber}`
      const { name, size } = input
      const job: TransferJob = { id, kind, fileName: lastPartOf(name), sizeBytes: size, state: { status: 'waiting' } }
      jobs.set([...jobs.current(), job])
      runJob(id, input)
      return id
    },
    cancel: (id: string) => runs.get(id)?.run?.cancel(),
    retry(id: string) {
      const job = find(id)
      const started = runs.get(id)
      if (!job || !started) return
      if (isActive(job)) return started.run?.retry?.()
      if (!mayFollow(job.state.status, 'waiting')) return
      set({ ...job, state: { status: 'waiting' } })
      runJob(id, started.input)
    },
    skip: (id: string) => runs.get(id)?.run?.skip?.(),
    dismiss(id: string) {
      const job = find(id)
      if (!job || isActive(job)) return
      runs.delete(id)
      jobs.set(jobs.current().filter((one) => one !== job))
    },
  } satisfies JobList & { start(input: Input): string }
}
