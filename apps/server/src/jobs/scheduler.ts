import { setTimeout as wait } from 'node:timers/promises'

export interface Job {
  readonly name: string
  readonly everyMs: number
  /** One round; ends early when the signal says so. */
  run(signal: AbortSignal): Promise<void>
}

interface Parts {
  readonly jobs: readonly Job[]
  readonly onError: (error: unknown, job: string) => void
}

/** Up to this much of a period comes on top, so that nodes do not all work at the same moment. */
const jitter = 0.1

/** Runs each job again and again, never twice at once; a round that fails is told and followed by the next. */
export function createScheduler({ jobs, onError }: Parts) {
  const ending = new AbortController()
  const { signal } = ending
  let running: readonly Promise<void>[] = []

  async function repeat(job: Job): Promise<void> {
    while (!signal.aborted) {
      await wait(job.everyMs * (1 + Math.random() * jitter), undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      await job.run(signal).catch((error: unknown) => {
        if (!signal.aborted) onError(error, job.name)
      })
    }
  }

  return {
    start(): void {
      if (running.length === 0) running = jobs.map(repeat)
    },
    /** Starts no more rounds, and waits for those under way. */
    async stop(): Promise<void> {
      ending.abort()
      await Promise.all(running)
    },
  }
}
