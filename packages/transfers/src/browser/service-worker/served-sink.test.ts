import { createFileHeader } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createPacedStream } from './paced-stream.ts'
import { createServedSink } from './served-sink.ts'

const recordBytes = 64 * 1024
const header = createFileHeader({ kind: 'personal', plainBytes: 4 * recordBytes, recordBytes })
const plainRecord = (index: number) => new Uint8Array(recordBytes).fill(index)
const sealedRecord = new Uint8Array(recordBytes + 28)

interface SetUp {
  /** Indexes of the records that an earlier attempt has staged. */
  readonly earlier?: readonly number[]
  /** Milliseconds between records. */
  readonly recordMs?: number
  readonly waitForRequest?: () => Promise<void>
  readonly put?: () => Promise<void>
}

function setUp({ earlier = [], recordMs = 100, waitForRequest = async () => undefined, put }: SetUp = {}) {
  const paced = createPacedStream()
  const received = new Response(paced.stream).bytes()
  received.catch(() => undefined)
  const staged: number[] = []
  let now = 0
  const sink = createServedSink({
    paced,
    staged: {
      put: put ?? (async (position) => void staged.push(position / recordBytes)),
      read: async (index) => (earlier.includes(index) ? plainRecord(index) : null),
    },
    waitForRequest,
    header,
    clock: { now: () => now },
  })
  async function write(index: number): Promise<void> {
    await sink.write(plainRecord(index), index * recordBytes, sealedRecord)
    now += recordMs
  }
  const firstBytes = async () => [...(await received)].filter((_, position) => position % recordBytes === 0)
  return { sink, write, staged, received, firstBytes }
}

const close = (sink: ReturnType<typeof setUp>['sink'], onDecrypted = (_: number): void => undefined) =>
  sink.close(onDecrypted, new AbortController().signal)

test('FIL-14 served sink: staged records are passed to the browser in their place', async () => {
  const { sink, write, firstBytes } = setUp({ earlier: [0, 2, 3] })
  const decrypted: number[] = []

  await write(1)
  await close(sink, (bytes) => decrypted.push(bytes))

  expect(await firstBytes()).toEqual([0, 1, 2, 3])
  expect(decrypted).toEqual([recordBytes, recordBytes])
})

test('served sink: the browser requests the file once, when the first record is verified', async () => {
  let requests = 0
  const { write } = setUp({
    waitForRequest: async () => {
      requests += 1
    },
  })
  expect(requests).toBe(0)

  await write(0)
  await write(1)

  expect(requests).toBe(1)
})

test('served sink: without a request nothing is passed to the browser', async () => {
  const { write, sink, received } = setUp({ waitForRequest: () => Promise.reject(new Error('Not requested')) })

  await expect(write(0)).rejects.toThrow('Not requested')
  await sink.abort()

  await expect(received).rejects.toThrow('The download was cancelled')
})

test('FIL-14 served sink: slow records are staged, and of fast ones only those of the first quarter of a second', async () => {
  const slow = setUp({ recordMs: 100 })
  const fast = setUp({ recordMs: 1 })

  for (const index of [0, 1, 2, 3]) await slow.write(index)
  for (let count = 0; count < 400; count += 1) await fast.write(count)

  expect(slow.staged).toEqual([0, 1, 2, 3])
  expect(fast.staged).toHaveLength(250)
})

test('served sink: a full disk ends the staging and not the download', async () => {
  const { sink, write, firstBytes } = setUp({ put: () => Promise.reject(new Error('The disk is full')) })

  for (const index of [0, 1, 2, 3]) await write(index)
  await close(sink)

  expect(await firstBytes()).toEqual([0, 1, 2, 3])
})

test('served sink: a staged record that was changed fails the download', async () => {
  const { sink, write } = setUp()

  await expect(write(2)).rejects.toMatchObject({ code: 'STAGED_FILE_CHANGED' })
  await sink.abort()
})
