import { createSubject, type Observable } from '@sallyport/client/observable'
import { lastPartOf } from '@sallyport/crypto'
import {
  isActive,
  type JobState,
  jobOfUpload,
  mayFollow,
  mayRetry,
  type TransferJob,
  type TransferKind,
} from './job.ts'
import type { CompletedUploads, UploadQueue } from './upload/upload-queue.ts'

/** Transfers that can be observed and controlled. Commands for an id that is not listed do nothing. */
export interface JobList extends Observable<readonly TransferJob[]> {
  /** Completed jobs of the list, also those that have left it since it was idle. */
  completed(): CompletedUploads
  cancel(id: string): void
  /** Restarts a failed or cancelled job, and the file that has paused an archive. */
  retry(id: string): void
  /** Continues without the file that has paused an archive. */
  skip(id: string): void
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
  retry?(): void
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
  const inputs = new Map<string, Input>()
  const running = new Map<string, { run?: JobRun }>()
  let lastNumber = 0

  const find = (id: string) => jobs.current().find((job) => job.id === id)
  const set = (changed: TransferJob) => jobs.set(jobs.current().map((job) => (job.id === changed.id ? changed : job)))

  function runJob(id: string, input: Input): void {
    const current: { run?: JobRun } = {}
    running.set(id, current)
    current.run = run(input, (state, sizeBytes) => {
      const job = find(id)
      // A run that was cancelled may still report when the job has been restarted.
      if (!job || running.get(id) !== current || !mayFollow(job.state.status, state.status)) return
      set({ ...job, state, sizeBytes: sizeBytes ?? job.sizeBytes })
    })
  }

  return {
    current: jobs.current,
    subscribe: jobs.subscribe,
    completed: () => sumCompleted(jobs.current()),
    /** Returns the id of the job. */
    start(input: Input): string {
      lastNumber += 1
      const id = `${kind}-${lastNumber}`
      inputs.set(id, input)
      const { name, size } = input
      const job: TransferJob = { id, kind, fileName: lastPartOf(name), sizeBytes: size, state: { status: 'waiting' } }
      jobs.set([...jobs.current(), job])
      runJob(id, input)
      return id
    },
    cancel: (id: string) => running.get(id)?.run?.cancel(),
    skip: (id: string) => running.get(id)?.run?.skip?.(),
    retry(id: string) {
      const job = find(id)
      const input = inputs.get(id)
      if (job?.state.status === 'paused') return running.get(id)?.run?.retry?.()
      if (!job || !input || !mayRetry(job)) return
      set({ ...job, state: { status: 'waiting' } })
      runJob(id, input)
    },
    dismiss(id: string) {
      const rest = jobs.current().filter((job) => job.id !== id || isActive(job))
      if (rest.length === jobs.current().length) return
      inputs.delete(id)
      running.delete(id)
      jobs.set(rest)
    },
  } satisfies JobList & { start(input: Input): string }
}

const sumCompleted = (jobs: readonly TransferJob[]): CompletedUploads => {
  const done = jobs.filter(({ state }) => state.status === 'done')
  return { files: done.length, bytes: done.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
}

const noneCompleted: CompletedUploads = { files: 0, bytes: 0 }

/** The uploads of a queue as jobs. */
export function listUploadJobs(queue: UploadQueue): JobList {
  const { subscribe, cancel, retry, dismiss } = queue
  const current = mapped(queue.current, (uploads) => uploads.map(jobOfUpload))
  // Once the queue is idle its completed uploads do not count towards the total of other transfers.
  const isIdle = () => !current().some((job) => isActive(job) || job.state.status === 'done')
  const completed = () => (isIdle() ? noneCompleted : queue.completed())
  return { current, subscribe, completed, cancel, retry, dismiss, skip: () => undefined }
}

/** One list of all jobs of several lists. */
export function joinJobLists(...lists: readonly JobList[]): JobList {
  let parts: readonly (readonly TransferJob[])[] = []
  let joined: readonly TransferJob[] = []
  const onEach = (command: 'cancel' | 'retry' | 'skip' | 'dismiss') => (id: string) => {
    for (const list of lists) list[command](id)
  }
  return {
    current() {
      const latest = lists.map((list) => list.current())
      if (parts.length === 0 || latest.some((part, index) => part !== parts[index])) {
        parts = latest
        joined = latest.flat()
      }
      return joined
    },
    subscribe(listener) {
      const stops = lists.map((list) => list.subscribe(listener))
      return () => {
        for (const stop of stops) stop()
      }
    },
    completed() {
      const all = lists.map((list) => list.completed())
      return {
        files: all.reduce((sum, { files }) => sum + files, 0),
        bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      }
    },
    cancel: onEach('cancel'),
    retry: onEach('retry'),
    skip: onEach('skip'),
    dismiss: onEach('dismiss'),
  }
}

/** Cancels every active job, from the last to the first, so that no waiting one starts in between. */
export function cancelAll(list: JobList): void {
  for (const job of list.current().toReversed()) if (isActive(job)) list.cancel(job.id)
}

export function retryFailed(list: JobList): void {
  for (const { id, state } of list.current()) if (state.status === 'failed') list.retry(id)
}

/** Cancels and removes all jobs. */
export function removeAll(list: JobList): void {
  cancelAll(list)
  for (const { id } of list.current()) list.dismiss(id)
}

/** Converts a value again only after it has changed. */
function mapped<Value, Result>(current: () => Value, convert: (value: Value) => Result): () => Result {
  let latest: { readonly value: Value; readonly result: Result } | null = null
  return () => {
    const value = current()
    if (latest?.value !== value) latest = { value, result: convert(value) }
    return latest.result
  }
}
