import { expect, test, vi } from 'vitest'
import { createSubject } from '../observable.ts'
import { fileOf } from '../testing/files.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import type { Upload } from './upload.ts'
import { createUploadQueue, type WantedUpload } from './upload-queue.ts'
import type { UploadState } from './upload-state.ts'

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

const nothingKept = { envelope: '', sealedName: '', chunkBytes: 1, expirationMinutes: undefined }
const emptyJournal = { note: async () => undefined, imprints: async () => new Map(), end: async () => undefined }

function startQueue() {
  const clock = createManualClock()
  const keptFor = (name: string) =>
    name.endsWith('.large') ? { kept: { ...nothingKept, uploadId: `id of ${name}` }, journal: emptyJournal } : null
  const begun: {
    name: string
    minutes: number | undefined
    goesOn: string | undefined
    end(state: UploadState): void
  }[] = []
  const queue = createUploadQueue({
    clock,
    begin({ file, expirationMinutes, resumption }): Upload {
      const state = createSubject<UploadState>(sending)
      begun.push({ name: file.name, minutes: expirationMinutes, goesOn: resumption?.kept.uploadId, end: state.set })
      const cancel = () => state.set({ status: 'cancelled' })
      const finished = new Promise<never>(() => undefined)
      const suspend = () => state.set({ status: 'failed', error: new Error('suspended') })
      return { ...state, cancel, suspend, resumption: () => resumption ?? keptFor(file.name), finished }
    },
  })
  const files = (...names: string[]) => names.map((name) => fileOf(new Uint8Array(1), name))
  const shown = () => queue.current().map(({ name, state }) => `${name} ${state.status}`)
  const idOf = (name: string) => queue.current().find((item) => item.name === name)?.id ?? ''
  return { clock, begun, queue, files, shown, idOf }
}

test('FIL-01 files go up one after another, in their order', () => {
  const { queue, files, shown, begun } = startQueue()
  queue.add(files('a', 'b', 'c'))

  begun[0]?.end({ status: 'done', fileId: '1' })

  expect(begun.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(shown()).toEqual(['a done', 'b sending', 'c waiting'])
})

test('FIL-09 an empty list is ignored', () => {
  const { queue, shown } = startQueue()
  let told = 0
  queue.subscribe(() => told++)

  queue.add([])

  expect(shown()).toEqual([])
  expect(told).toBe(0)
})

test('a chosen lifetime holds for the files it was chosen with', () => {
  const { queue, files, begun } = startQueue()

  queue.add(files('a'), { expirationMinutes: 60 })
  queue.add(files('b'))
  begun[0]?.end({ status: 'done', fileId: '1' })

  expect(begun.map(({ minutes }) => minutes)).toEqual([60, undefined])
})

test('FIL-08 after a cancel the next upload waits 100 ms', async () => {
  const { queue, files, shown, idOf, begun, clock } = startQueue()
  queue.add(files('a', 'b'))

  queue.cancel(idOf('a'))
  await clock.advance(99)
  const early = begun.length
  await clock.advance(1)

  expect(early).toBe(1)
  expect(shown()).toEqual(['a cancelled', 'b sending'])
})

test('FIL-08 a file that waits can be cancelled without touching the one under way', () => {
  const { queue, files, shown, idOf, begun } = startQueue()
  queue.add(files('a', 'b'))

  queue.cancel(idOf('b'))
  begun[0]?.end({ status: 'done', fileId: '1' })

  expect(shown()).toEqual(['a done', 'b cancelled'])
})

test('a failed file does not hold up the next and can be tried again', () => {
  const { queue, files, shown, idOf, begun } = startQueue()
  queue.add(files('a', 'b'))
  begun[0]?.end({ status: 'failed', error: new Error('no') })

  queue.retry(idOf('a'))
  const waiting = shown()
  begun[1]?.end({ status: 'done', fileId: '1' })

  expect(waiting).toEqual(['b sending', 'a waiting'])
  expect(shown()).toEqual(['b done', 'a sending'])
})

test('only what has ended can be put away or tried again', () => {
  const { queue, files, shown, idOf, begun } = startQueue()
  queue.add(files('a', 'b'))

  queue.dismiss(idOf('a'))
  queue.retry(idOf('a'))
  queue.dismiss(idOf('b'))
  begun[0]?.end({ status: 'done', fileId: '1' })
  queue.dismiss(idOf('a'))

  expect(shown()).toEqual(['b sending'])
  expect(begun).toHaveLength(2)
})

test('a failed upload that had got somewhere goes on there when it is tried again', () => {
  const { queue, files, begun, idOf } = startQueue()
  queue.add(files('a.large'), { expirationMinutes: 30 })
  begun[0]?.end({ status: 'failed', error: new Error('no') })

  const resumableId = queue.current()[0]?.resumableId
  queue.retry(idOf('a.large'))

  expect(resumableId).toBe('id of a.large')
  expect(begun.map(({ goesOn, minutes }) => [goesOn, minutes])).toEqual([
    [undefined, 30],
    ['id of a.large', 30],
  ])
})

test('what was begun at an earlier visit is taken up behind what waits', () => {
  const { queue, files, begun, shown } = startQueue()
  const [file] = files('old.large')
  queue.add(files('a'))

  const resumption = { kept: { ...nothingKept, uploadId: 'earlier' }, journal: emptyJournal }
  queue.goOn([{ file: file as never, resumption }])
  begun[0]?.end({ status: 'done', fileId: '1' })

  expect(shown()).toEqual(['a done', 'old.large sending'])
  expect(begun[1]?.goesOn).toBe('earlier')
})

test('a suspended queue begins nothing more', () => {
  const { queue, files, begun } = startQueue()
  queue.add(files('a.large', 'b'))

  queue.suspend()
  queue.add(files('c'))

  expect(begun.map(({ name }) => name)).toEqual(['a.large'])
})

test('a queue that is dropped cancels what is under way and begins nothing more', () => {
  const { queue, files, begun, shown } = startQueue()
  queue.add(files('a', 'b'))

  void queue.drop()

  expect(shown()).toEqual(['a cancelled', 'b waiting'])
  expect(begun).toHaveLength(1)
})

test('what waits is noted some at a time, and what begins at once is left to its own', async () => {
  const batches: string[][] = []
  const { queue, begun } = startNotingQueue(async (names) => void batches.push(names))

  queue.add(fileOfEach(...Array.from({ length: 120 }, (_, place) => `f${place}`)))
  await vi.waitFor(() => expect(batches).toHaveLength(3))

  expect(batches.map(({ length }) => length)).toEqual([50, 50, 19])
  expect(begun[0]?.noted).toBeUndefined()
  begun[0]?.end({ status: 'done', fileId: '1' })
  expect((await begun[1]?.noted)?.kept.uploadId).toBe('id of f1')
})

test('a file that is cancelled while it waits leaves no note', async () => {
  const ended: string[] = []
  const { queue, idOf } = startNotingQueue(
    async () => undefined,
    (name) => ended.push(name),
  )
  queue.add(fileOfEach('a', 'b', 'c'))

  queue.cancel(idOf('b'))

  await vi.waitFor(() => expect(ended).toEqual(['b']))
})

test('a queue whose notes cannot be written sends all the same', async () => {
  const { queue, begun } = startNotingQueue(async () => {
    throw new Error('No room')
  })
  queue.add(fileOfEach('a', 'b'))
  begun[0]?.end({ status: 'done', fileId: '1' })

  expect(begun.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(await begun[1]?.noted).toBeNull()
})

const fileOfEach = (...names: string[]) => names.map((name) => fileOf(new Uint8Array(1), name))

/** A queue that notes what waits, and whose uploads end when they are told to. */
function startNotingQueue(noting: (names: string[]) => Promise<void>, onEnd: (name: string) => void = () => undefined) {
  const begun: { name: string; noted: WantedUpload['noted']; end(state: UploadState): void }[] = []
  const queue = createUploadQueue({
    clock: createManualClock(),
    async noteAhead(wanted) {
      const names = wanted.map(({ file }) => file.name)
      await noting(names)
      return names.map((name) => ({
        upload: {} as never,
        kept: { ...nothingKept, uploadId: `id of ${name}` },
        journal: { ...emptyJournal, end: async () => onEnd(name) },
      }))
    },
    begin({ file, noted }): Upload {
      const state = createSubject<UploadState>(sending)
      begun.push({ name: file.name, noted, end: state.set })
      const finished = new Promise<never>(() => undefined)
      return { ...state, cancel: () => undefined, suspend: () => undefined, resumption: () => null, finished }
    },
  })
  return { queue, begun, idOf: (name: string) => queue.current().find((item) => item.name === name)?.id ?? '' }
}
