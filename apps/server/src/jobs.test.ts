import { expect, test } from 'vitest'
import { createScheduler } from './jobs.ts'
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
  const scheduler = createScheduler({ jobs: [job], onError: (_, name) => failedJobs.push(name) })

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
  const scheduler = createScheduler({ jobs: [job], onError: () => undefined })
  scheduler.start()
  await waitUntil(() => begun)

  await scheduler.stop()

  expect(ended).toBe(true)
})

test('stop: does not wait for the next run', async () => {
  const job = { name: 'rare', everyMs: 3_600_000, run: async () => undefined }
  const scheduler = createScheduler({ jobs: [job], onError: () => undefined })
  scheduler.start()

  await scheduler.stop()

  expect(job.name).toBe('rare')
})
