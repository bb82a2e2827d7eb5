import { expect, test } from 'vitest'
import type { DecryptWorker } from '../../engine/download/decrypt-worker.ts'
import type { ReceiveOutcome, ReceiveTask } from '../../engine/download/receive-task.ts'
import type { SavedFile } from '../workers/tasks.ts'
import { type ServedDownload, withFallback } from './with-fallback.ts'

const complete: ReceiveOutcome = { kind: 'complete' }
const task: ReceiveTask = {
  request: { method: 'GET', url: 'http://server.test/', headers: {} },
  records: { first: 0, end: 1 },
  timeoutMs: 1000,
}
const signal = new AbortController().signal
const ignoreProgress = () => undefined

function setUp({ isRequested = true, receive = async () => complete } = {}) {
  const calls: string[] = []
  const log = (name: string) => async () => void calls.push(name)
  const served: ServedDownload = {
    isRequested: () => isRequested,
    receive,
    close: log('served.close'),
    abort: log('served.abort'),
    end: () => void calls.push('served.end'),
  }
  const other: DecryptWorker<SavedFile> = {
    storage: 'memory',
    isSeekable: true,
    async receive() {
      calls.push('other.receive')
      return complete
    },
    async close() {
      calls.push('other.close')
      return { privateName: 'partial' }
    },
    abort: log('other.abort'),
    suspend: log('other.suspend'),
  }
  return { calls, served, other }
}

const fail = (): Promise<ReceiveOutcome> => Promise.reject(new Error('The browser did not request the file'))

test('FIL-15 a download that the browser requests is saved by the service worker, and nothing staged is left', async () => {
  const { calls, served, other } = setUp()
  const worker = withFallback(served, other)

  const outcome = await worker.receive(task, ignoreProgress, signal)
  const saved = await worker.close(ignoreProgress, signal)

  expect([outcome, saved, worker.storage]).toEqual([complete, { isServed: true }, 'disk'])
  expect(calls).toEqual(['served.close', 'other.abort'])
})

test('FIL-15 a download that the browser never requests is saved by the other worker', async () => {
  const { calls, served, other } = setUp({ isRequested: false, receive: fail })
  const worker = withFallback(served, other)

  const outcome = await worker.receive(task, ignoreProgress, signal)
  const saved = await worker.close(ignoreProgress, signal)

  expect([outcome, saved, worker.storage]).toEqual([complete, { privateName: 'partial' }, 'memory'])
  expect(calls).toEqual(['served.end', 'other.receive', 'other.close'])
})

test.each([
  ['that fails after the browser requested it', true],
  ['without another worker', false],
])('a download %s rejects', async (_, isRequested) => {
  const { calls, served, other } = setUp({ isRequested, receive: fail })
  const worker = withFallback(served, isRequested ? other : null)

  await expect(worker.receive(task, ignoreProgress, signal)).rejects.toThrow('did not request')
  await worker.suspend?.()

  expect(calls).toEqual(isRequested ? ['served.abort', 'other.suspend'] : ['served.abort'])
})

test('FIL-17 a download that is cancelled before the browser requests it does not change to the other worker', async () => {
  const cancelling = new AbortController()
  const { calls, served, other } = setUp({
    isRequested: false,
    receive: () => fail().finally(() => cancelling.abort()),
  })
  const worker = withFallback(served, other)

  await expect(worker.receive(task, ignoreProgress, cancelling.signal)).rejects.toThrow('did not request')
  await worker.abort()

  expect(calls).toEqual(['served.abort', 'other.abort'])
})

test.each(['abort', 'suspend'] as const)('after a change of workers, %s reaches the other one', async (command) => {
  const { calls, served, other } = setUp({ isRequested: false, receive: fail })
  const worker = withFallback({ ...served, abort: () => Promise.reject(new Error('The port is closed')) }, other)
  await worker.receive(task, ignoreProgress, signal)

  await worker[command]?.().catch(() => undefined)

  expect(calls).toEqual(['served.end', 'other.receive', `other.${command}`])
})
