import { expect, test } from 'vitest'
import { createScheduler, type Job, nothing } from './jobs.ts'
import { waitUntil } from './testing/servers/file-server.ts'

test('a job runs periodically, never concurrently with itself, and continues after a failure', async () => {
  let running = 0
  let maxRunning = 0
  let rounds = 0
  const failedJobs: string[] = []
  const job = {
    name: 'count',
    everyMs: 1,
    async run() {
      running += 1
      maxRunning = Math.max(maxRunning, running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      rounds += 1
      if (rounds === 2) throw new Error('once')
    },
  }
  const scheduler = createScheduler({
    jobs: [job],
    isTimeRight: () => true,
    onError: (_, name) => failedJobs.push(name),
  })

  scheduler.start()
  scheduler.start()
  await waitUntil(() => rounds >= 5)
  await scheduler.stop()
  const afterwards = rounds
  await new Promise((resolve) => setTimeout(resolve, 20))

  expect(maxRunning).toBe(1)
  expect(failedJobs).toEqual(['count'])
  expect(rounds).toBe(afterwards)
})

test('stop: aborts a running job and waits for it', async () => {
  let begun = false
  let ended = false
  const job = {
    name: 'long',
    everyMs: 1,
    async run(signal: AbortSignal) {
      begun = true
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => setTimeout(resolve, 20)))
      ended = true
    },
  }
  const scheduler = createScheduler({ jobs: [job], isTimeRight: () => true, onError: () => undefined })
  scheduler.start()
  await waitUntil(() => begun)

  await scheduler.stop()

  expect(ended).toBe(true)
})

test('stop: does not wait for the next run', async () => {
  const job = { name: 'rare', everyMs: 3_600_000, run: async () => undefined }
  const scheduler = createScheduler({ jobs: [job], isTimeRight: () => true, onError: () => undefined })
  scheduler.start()

  await scheduler.stop()

  expect(job.name).toBe('rare')
})

test('T152 a job that erases does not run while the time may be wrong, and runs again afterwards', async () => {
  const runs = { erasing: 0, other: 0 }
  let isTimeRight = false
  const count = (name: keyof typeof runs) => async () => {
    runs[name] += 1
  }
  const jobs: Job[] = [
    { name: 'erasing', everyMs: 1, erases: 'expired', run: () => count('erasing')().then(() => nothing) },
    { name: 'other', everyMs: 1, run: count('other') },
  ]
  const scheduler = createScheduler({ jobs, isTimeRight: () => isTimeRight, onError: () => undefined })
  scheduler.start()
  await waitUntil(() => runs.other >= 5)
  const meanwhile = runs.erasing
  isTimeRight = true
  await waitUntil(() => runs.erasing >= 2)
  await scheduler.stop()

  expect(meanwhile).toBe(0)
})

test('erase: waits for a run of the job, adds up what all jobs of the kind delete, and passes an error on', async () => {
  let running = 0
  let maxRunning = 0
  const erasing = (name: string, files: number): Job => ({
    name,
    everyMs: 1,
    erases: 'expired',
    async run() {
      running += 1
      maxRunning = Math.max(maxRunning, running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      return { files, bytes: 10 * files, entries: 1 }
    },
  })
  const broken: Job = { name: 'broken', everyMs: 3_600_000, erases: 'orphaned', run: () => Promise.reject(new Error()) }
  const never = new AbortController().signal
  const scheduler = createScheduler({
    jobs: [erasing('one', 2), broken],
    isTimeRight: () => true,
    onError: () => undefined,
  })
  scheduler.start()
  const erased = [await scheduler.erase('expired', never), await scheduler.erase('expired', never)]
  await expect(scheduler.erase('orphaned', never)).rejects.toThrow()
  await scheduler.stop()

  expect(erased).toEqual(Array(2).fill({ files: 2, bytes: 20, entries: 1 }))
  expect(maxRunning).toBe(1)
})
