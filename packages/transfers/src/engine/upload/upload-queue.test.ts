import { ApiError } from '@sallyport/client/errors'
import { createSubject } from '@sallyport/client/observable'
import { createManualClock } from '@sallyport/client/testing/manual-clock'
import { expect, test, vi } from 'vitest'
import { fileOf } from '../../testing/files.ts'
import type { Upload } from './upload.ts'
import type { UploadState } from './upload-progress.ts'
import { createUploadQueue, type UploadInput } from './upload-queue.ts'

const sending: UploadState = {
  status: 'sending',
  phase: 'encrypting',
  isPaused: false,
  sealedBytes: 0,
  sentBytes: 0,
  totalBytes: 1,
  bytesPerSecond: 0,
  startedAt: 0,
}

const emptyUpload = { envelope: '', sealedName: '', chunkBytes: 1, expirationMinutes: undefined }
const emptyJournal = {
  write: async () => undefined,
  recordDigests: async () => new Map(),
  delete: async () => undefined,
}

function startQueue(smallFiles?: { concurrency: number; maxBytes: number }) {
  const clock = createManualClock()
  const resumptionFor = (name: string) =>
    name.endsWith('.large') ? { persisted: { ...emptyUpload, uploadId: `id of ${name}` }, journal: emptyJournal } : null
  const started: {
    name: string
    minutes: number | undefined
    resumedId: string | undefined
    end(state: UploadState): void
  }[] = []
  const queue = createUploadQueue({
    clock,
    smallFiles,
    startUpload({ file, expirationMinutes, resumption }): Upload {
      const state = createSubject<UploadState>(sending)
      started.push({
        name: file.name,
        minutes: expirationMinutes,
        resumedId: resumption?.persisted.uploadId,
        end: state.set,
      })
      const cancel = () => state.set({ status: 'cancelled' })
      const finished = new Promise<never>(() => undefined)
      const suspend = () => state.set({ status: 'failed', error: new Error('suspended') })
      return { ...state, cancel, suspend, resumption: () => resumption ?? resumptionFor(file.name), finished }
    },
  })
  const files = (...names: string[]) =>
    names.map((name) => fileOf(new Uint8Array(name.endsWith('.large') ? 11 : 1), name))
  const listStates = () => queue.current().map(({ name, state }) => `${name} ${state.status}`)
  const idOf = (name: string) => queue.current().find((item) => item.name === name)?.id ?? ''
  return { clock, started, queue, files, listStates, idOf }
}

test('FIL-01 files are uploaded one after another, in their order', () => {
  const { queue, files, listStates, started } = startQueue()
  queue.add(files('a', 'b', 'c'))

  started[0]?.end({ status: 'done', fileId: '1' })

  expect(started.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(listStates()).toEqual(['a done', 'b sending', 'c waiting'])
})

test('FIL-09 an empty list is ignored', () => {
  const { queue, listStates } = startQueue()
  let notifications = 0
  queue.subscribe(() => notifications++)

  queue.add([])

  expect(listStates()).toEqual([])
  expect(notifications).toBe(0)
})

test('a chosen lifetime applies to the files it was chosen with', () => {
  const { queue, files, started } = startQueue()

  queue.add(files('a'), { expirationMinutes: 60 })
  queue.add(files('b'))
  started[0]?.end({ status: 'done', fileId: '1' })

  expect(started.map(({ minutes }) => minutes)).toEqual([60, undefined])
})

test('FIL-08 after a cancel the next upload starts 100 ms later', async () => {
  const { queue, files, listStates, idOf, started, clock } = startQueue()
  queue.add(files('a', 'b'))

  queue.cancel(idOf('a'))
  await clock.advance(99)
  const early = started.length
  await clock.advance(1)

  expect(early).toBe(1)
  expect(listStates()).toEqual(['a cancelled', 'b sending'])
})

test('FIL-08 a waiting file can be cancelled without affecting the active one', () => {
  const { queue, files, listStates, idOf, started } = startQueue()
  queue.add(files('a', 'b'))

  queue.cancel(idOf('b'))
  started[0]?.end({ status: 'done', fileId: '1' })

  expect(listStates()).toEqual(['a done', 'b cancelled'])
})

test('a failed file does not block the next one and can be retried', () => {
  const { queue, files, listStates, idOf, started } = startQueue()
  queue.add(files('a', 'b'))
  started[0]?.end({ status: 'failed', error: new Error('no') })

  queue.retry(idOf('a'))
  const waiting = listStates()
  started[1]?.end({ status: 'done', fileId: '1' })

  expect(waiting).toEqual(['b sending', 'a waiting'])
  expect(listStates()).toEqual(['b done', 'a sending'])
})

test('only ended uploads can be dismissed or retried', () => {
  const { queue, files, listStates, idOf, started } = startQueue()
  queue.add(files('a', 'b'))

  queue.dismiss(idOf('a'))
  queue.retry(idOf('a'))
  queue.dismiss(idOf('b'))
  started[0]?.end({ status: 'done', fileId: '1' })
  queue.dismiss(idOf('a'))

  expect(listStates()).toEqual(['b sending'])
  expect(started).toHaveLength(2)
})

test('a retry of a resumable upload resumes it', () => {
  const { queue, files, started, idOf } = startQueue()
  queue.add(files('a.large'), { expirationMinutes: 30 })
  started[0]?.end({ status: 'failed', error: new Error('no') })

  const resumableId = queue.current()[0]?.resumableId
  queue.retry(idOf('a.large'))

  expect(resumableId).toBe('id of a.large')
  expect(started.map(({ resumedId, minutes }) => [resumedId, minutes])).toEqual([
    [undefined, 30],
    ['id of a.large', 30],
  ])
})

test('an upload of an earlier visit is resumed after the waiting ones', () => {
  const { queue, files, started, listStates } = startQueue()
  const [file] = files('old.large')
  queue.add(files('a'))

  const resumption = { persisted: { ...emptyUpload, uploadId: 'earlier' }, journal: emptyJournal }
  queue.resume([{ file: file as never, resumption }])
  started[0]?.end({ status: 'done', fileId: '1' })

  expect(listStates()).toEqual(['a done', 'old.large sending'])
  expect(started[1]?.resumedId).toBe('earlier')
})

test('a suspended queue starts nothing more', () => {
  const { queue, files, started } = startQueue()
  queue.add(files('a.large', 'b'))

  queue.suspend()
  queue.add(files('c'))

  expect(started.map(({ name }) => name)).toEqual(['a.large'])
})

test('cancelling the queue cancels the active upload and starts nothing more', () => {
  const { queue, files, started, listStates } = startQueue()
  queue.add(files('a', 'b'))

  void queue.cancelAll()

  expect(listStates()).toEqual(['a cancelled', 'b waiting'])
  expect(started).toHaveLength(1)
})

test('several small files are uploaded at once, in their order, and a large one alone', () => {
  const { queue, files, listStates, started } = startQueue({ concurrency: 2, maxBytes: 10 })
  queue.add(files('a', 'b', 'c', 'd.large', 'e'))

  const atFirst = listStates()
  started[1]?.end({ status: 'done', fileId: '1' })
  started[0]?.end({ status: 'done', fileId: '2' })
  const beforeLarge = started.map(({ name }) => name)
  started[2]?.end({ status: 'done', fileId: '3' })
  const duringLarge = started.map(({ name }) => name)
  started[3]?.end({ status: 'done', fileId: '4' })

  expect(atFirst).toEqual(['a sending', 'b sending', 'c waiting', 'd.large waiting', 'e waiting'])
  expect(beforeLarge).toEqual(['a', 'b', 'c'])
  expect(duringLarge).toEqual(['a', 'b', 'c', 'd.large'])
  expect(listStates()).toEqual(['a done', 'b done', 'c done', 'd.large done', 'e sending'])
})

test('an upload beyond the limit of open uploads is sent after the others, and then one file at a time', async () => {
  const error = new ApiError({ status: 429, code: 'TOO_MANY_UPLOADS', serverMessage: '' })
  const { queue, files, listStates, started, clock } = startQueue({ concurrency: 2, maxBytes: 10 })
  queue.add(files('a', 'b', 'c'))

  started[1]?.end({ status: 'failed', error })
  await clock.advance(0)
  const postponed = listStates()
  started[0]?.end({ status: 'done', fileId: '1' })
  await clock.advance(0)

  expect(postponed).toEqual(['a sending', 'b waiting', 'c waiting'])
  expect(listStates()).toEqual(['a done', 'b sending', 'c waiting'])
  started[2]?.end({ status: 'failed', error })
  expect(listStates()).toEqual(['a done', 'b failed', 'c sending'])
})

test('cancelling or suspending the queue reaches every upload that was started', () => {
  const cancelled = startQueue({ concurrency: 2, maxBytes: 10 })
  cancelled.queue.add(cancelled.files('a', 'b', 'c'))
  void cancelled.queue.cancelAll()
  expect(cancelled.listStates()).toEqual(['a cancelled', 'b cancelled', 'c waiting'])

  const suspended = startQueue({ concurrency: 2, maxBytes: 10 })
  suspended.queue.add(suspended.files('a', 'b', 'c'))
  suspended.queue.suspend()
  expect(suspended.listStates()).toEqual(['a failed', 'b failed', 'c waiting'])
})

test('completed uploads are counted until files are added to an idle queue', () => {
  const { queue, files, started } = startQueue()
  queue.add(files('a', 'b'))
  started[0]?.end({ status: 'done', fileId: '1' })
  queue.dismiss('1')
  queue.add(files('c'))
  const whileActive = queue.completed()
  started[1]?.end({ status: 'failed', error: new Error('no') })
  started[2]?.end({ status: 'done', fileId: '2' })

  expect(whileActive).toEqual({ files: 1, bytes: 1 })
  expect(queue.completed()).toEqual({ files: 2, bytes: 2 })
  queue.add(files('d'))
  expect(queue.completed()).toEqual({ files: 0, bytes: 0 })
})

test('100 changes within 250 ms notify twice, and the list is up to date in between', async () => {
  const { queue, files, started, listStates, clock } = startQueue()
  let notifications = 0
  queue.add(files('a'))
  await clock.advance(500)
  queue.subscribe(() => notifications++)

  for (let step = 0; step < 99; step += 1) started[0]?.end({ ...sending, sentBytes: step } as UploadState)
  started[0]?.end({ status: 'done', fileId: '1' })
  const duringInterval = [notifications, listStates()]
  await clock.advance(250)

  expect(duringInterval).toEqual([1, ['a done']])
  expect(notifications).toBe(2)
})

test('waiting uploads are persisted in batches of 250; one that starts at once is not', async () => {
  const batches: string[][] = []
  const { queue, started } = startPersistingQueue(async (names) => void batches.push(names))

  queue.add(filesNamed(...Array.from({ length: 600 }, (_, place) => `f${place}`)))
  await vi.waitFor(() => expect(batches).toHaveLength(3))

  expect(batches.map(({ length }) => length)).toEqual([250, 250, 99])
  expect(started[0]?.pending).toBeUndefined()
  started[0]?.end({ status: 'done', fileId: '1' })
  expect(await started[1]?.pending).toBe('id of f1')
})

test('the record of a waiting upload that is cancelled is removed', async () => {
  const deleted: string[] = []
  const { queue, idOf } = startPersistingQueue(
    async () => undefined,
    (uploadId) => deleted.push(uploadId),
  )
  queue.add(filesNamed('a', 'b', 'c'))

  queue.cancel(idOf('b'))

  await vi.waitFor(() => expect(deleted).toEqual(['id of b']))
})

test('a queue whose uploads cannot be persisted still sends them', async () => {
  const { queue, started } = startPersistingQueue(async () => {
    throw new Error('Quota exceeded')
  })
  queue.add(filesNamed('a', 'b'))
  started[0]?.end({ status: 'done', fileId: '1' })

  expect(started.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(await started[1]?.pending).toBeNull()
})

const filesNamed = (...names: string[]) => names.map((name) => fileOf(new Uint8Array(1), name))

/** Starts a queue that persists waiting uploads; the test ends its uploads. */
function startPersistingQueue(
  onPersist: (names: string[]) => Promise<void>,
  onDelete: (uploadId: string) => void = () => undefined,
) {
  const started: { name: string; pending: UploadInput['pending']; end(state: UploadState): void }[] = []
  const queue = createUploadQueue({
    clock: createManualClock(),
    waitingUploads: {
      async persist(inputs) {
        const names = inputs.map(({ file }) => file.name)
        await onPersist(names)
        return names.map((name) => `id of ${name}`)
      },
      remove: onDelete,
    },
    startUpload({ file, pending }): Upload {
      const state = createSubject<UploadState>(sending)
      started.push({ name: file.name, pending, end: state.set })
      const finished = new Promise<never>(() => undefined)
      return { ...state, cancel: () => undefined, suspend: () => undefined, resumption: () => null, finished }
    },
  })
  return { queue, started, idOf: (name: string) => queue.current().find((item) => item.name === name)?.id ?? '' }
}

/** Counts the steps of all loops through maps and sets. */
function countSteps(work: () => void): number {
  const iterators = [new Map().values(), new Set().values()].map((iterator) => Object.getPrototypeOf(iterator))
  const spies = iterators.map((iterator) => vi.spyOn(iterator, 'next'))
  work()
  const count = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  for (const spy of spies) spy.mockRestore()
  return count
}

test('P16 to end an upload and start the next takes as many steps with 2,000 waiting uploads as with 100', () => {
  const stepsWith = (count: number): number => {
    const { queue, files, started } = startQueue({ concurrency: 4, maxBytes: 10 })
    queue.add(files(...Array.from({ length: count }, (_, index) => `f${index}`)))
    const steps = countSteps(() => {
      for (let index = 0; index < 50; index += 1) {
        started[index]?.end(
          index % 2 === 0 ? { status: 'done', fileId: '1' } : { status: 'failed', error: new Error() },
        )
        queue.cancel(String(index + 60))
        if (index % 2 === 0) queue.dismiss(String(index + 1))
        queue.find(String(index + 1))
      }
    })
    expect(started).toHaveLength(54)
    return steps
  }

  expect(stepsWith(2000)).toBe(stepsWith(100))
})

test('P16 listeners of a list of 10,000 uploads are notified once a second', async () => {
  const { queue, files, started, clock } = startQueue()
  queue.add(files(...Array.from({ length: 10_000 }, (_, index) => `f${index}`)))
  await clock.advance(1000)
  let notifications = 0
  queue.subscribe(() => notifications++)

  for (let step = 0; step < 20; step += 1) {
    started[0]?.end({ ...sending, sentBytes: step } as UploadState)
    await clock.advance(100)
  }

  expect(notifications).toBe(2)
})
