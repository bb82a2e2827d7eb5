import { expect, test } from 'vitest'
import { openTaskPort } from './task-port.ts'

interface Tasks {
  work(): Promise<void>
}

test('a task that is pending or begun when its port is ended is rejected, and never waits for an answer', async () => {
  const posted: unknown[] = []
  const endpoint = { onmessage: null, postMessage: (request: unknown) => void posted.push(request) }
  const { tasks, end } = openTaskPort<Tasks>(endpoint, () => undefined)
  const pending = tasks.work()

  end()

  await expect(pending).rejects.toThrow('The worker was terminated')
  await expect(tasks.work()).rejects.toMatchObject({ code: 'WORKER_STOPPED' })
  expect(posted).toHaveLength(1)
})
