import { expect, test } from 'vitest'
import { until } from '../testing/storing-server.ts'
import { createScheduler } from './scheduler.ts'

test('a job runs again and again, never twice at once, also after it has failed', async () => {
  let running = 0
  let most = 0
  let rounds = 0
  const told: string[] = []
  const job = {
    name: 'count',
    everyMs: 1,
    async run() {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      rounds += 1
      if (rounds === 2) throw new Error('once')
    },
  }
  const scheduler = createScheduler({ jobs: [job], onError: (_, name) => told.push(name) })

  scheduler.start()
  scheduler.start()
  await until(() => rounds >= 5)
  await scheduler.stop()
  const afterwards = rounds
  await new Promise((resolve) => setTimeout(resolve, 20))

  expect(most).toBe(1)
  expect(told).toEqual(['count'])
  expect(rounds).toBe(afterwards)
})

test('stopping tells a round under way to end, and waits for it', async () => {
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
  await until(() => begun)

  await scheduler.stop()

  expect(ended).toBe(true)
})

test('stopping does not wait for the next round', async () => {
  const job = { name: 'rare', everyMs: 3_600_000, run: async () => undefined }
  const scheduler = createScheduler({ jobs: [job], onError: () => undefined })
  scheduler.start()

  await scheduler.stop()

  expect(job.name).toBe('rare')
})
