import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { waitUntil } from '../../testing/servers/file-server.ts'
import type { BlobStore } from './blob-store.ts'
import { createIoScheduler } from './io-scheduler.ts'
import { openVolumes } from './volumes.ts'

const kilobyte = 1024
const pieceBytes = 64 * kilobyte
const objectBytes = 4096 * kilobyte
const everything = { start: 0, end: objectBytes - 1 }
const signal = new AbortController().signal

async function aVolume() {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-io-'))
  const [volume] = (await openVolumes({ folders: [folder] })).all
  if (!volume) throw new Error('There is a volume for every folder')
  return { folder, volume }
}

/** An upload that is never waited for; gives the most bytes that were taken of it between two ticks of the event loop. */
async function takenInOneTick(volume: BlobStore): Promise<number> {
  let [taken, most, isOver] = [0, 0, false]
  const onTick = (): void => {
    most = Math.max(most, taken)
    taken = 0
    if (!isOver) setImmediate(onTick)
  }
  setImmediate(onTick)
  const pieces = Array.from({ length: objectBytes / pieceBytes }, () => Buffer.alloc(pieceBytes))
  await volume.put({
    caller: 'anyone',
    fileId: randomUUID(),
    index: 0,
    // All of it is there from the beginning, as when a fast sender has filled what the kernel keeps for a socket.
    bytes: Readable.from(pieces, { objectMode: false, highWaterMark: objectBytes }),
    length: { least: objectBytes, most: objectBytes },
    signal,
    onPiece: (bytes) => {
      taken += bytes
    },
  })
  isOver = true
  return most
}

async function anObject(volume: BlobStore): Promise<{ fileId: string; bytes: Buffer }> {
  const fileId = randomUUID()
  const bytes = randomBytes(objectBytes)
  const length = { least: objectBytes, most: objectBytes }
  await volume.put({ caller: 'anyone', fileId, index: 0, bytes: Readable.from([Buffer.from(bytes)]), length, signal })
  return { fileId, bytes }
}

test('twenty uploads at once take 128 KiB each of a tick of the event loop, and one by itself takes 2 MB', async () => {
  const { volume } = await aVolume()

  const [alone, ...crowd] = [
    await takenInOneTick(volume),
    ...(await Promise.all(Array.from({ length: 20 }, () => takenInOneTick(volume)))),
  ]

  expect(alone).toBeGreaterThan(512 * kilobyte)
  // The last of them are more and more by themselves.
  expect(crowd.toSorted((one, other) => one - other)[0]).toBeLessThanOrEqual(128 * kilobyte + pieceBytes)
})

test('a file is read in pieces of 2 MB, and in smaller ones while many are read, with the same bytes', async () => {
  const { volume } = await aVolume()
  const { fileId, bytes } = await anObject(volume)
  const others = await Promise.all(Array.from({ length: 19 }, () => volume.open(fileId, 0, everything, 'anyone')))

  const crowded: Buffer[] = []
  for await (const piece of await volume.open(fileId, 0, everything, 'anyone')) crowded.push(piece)
  for (const other of others) other.destroy()
  await waitUntil(async () => others.every((other) => other.closed))
  const alone: Buffer[] = []
  for await (const piece of await volume.open(fileId, 0, everything, 'anyone')) alone.push(piece)

  expect(new Set(crowded.map((piece) => piece.length))).toEqual(new Set([128 * kilobyte]))
  expect(new Set(alone.map((piece) => piece.length))).toEqual(new Set([2048 * kilobyte]))
  expect(Buffer.concat(crowded).equals(bytes)).toBe(true)
  expect(Buffer.concat(alone).equals(bytes)).toBe(true)
  expect(
    (await buffer(await volume.open(fileId, 0, { start: 5, end: 9 }, 'anyone'))).equals(bytes.subarray(5, 10)),
  ).toBe(true)
})

test('a reading that is given up closes its file, also in the middle of a piece or while it waits for a tick', async () => {
  const { folder, volume } = await aVolume()
  const { fileId } = await anObject(volume)
  const openFiles = (): string[] =>
    readdirSync('/proc/self/fd').filter((number) => linkOf(number).startsWith(folder) && linkOf(number).endsWith('/0'))

  const readings = await Promise.all(Array.from({ length: 20 }, () => volume.open(fileId, 0, everything, 'anyone')))
  expect(openFiles()).toHaveLength(20)
  for (const reading of readings) reading.read(0)
  await new Promise((resolve) => setImmediate(resolve))
  for (const reading of readings) reading.destroy()

  await waitUntil(async () => openFiles().length === 0)
  expect(openFiles()).toEqual([])
})

function linkOf(number: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${number}`)
  } catch {
    return ''
  }
}

test('a transfer that ends while it waits for a tick is resumed, and no further tick is scheduled', async () => {
  const scheduler = createIoScheduler()
  const slot = scheduler.acquire('anyone')
  let resumed = 0
  slot.waitForTick(() => {
    resumed += 1
  })

  slot.release()
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

  expect(resumed).toBe(1)
  expect(process.getActiveResourcesInfo()).not.toContain('Immediate')
})

test('of 24 transfers that wait, 16 are resumed in the first tick and 8 in the next', async () => {
  const scheduler = createIoScheduler()
  const resumed: number[] = []
  const slots = Array.from({ length: 24 }, () => scheduler.acquire('anyone'))
  for (const [index, slot] of slots.entries()) slot.waitForTick(() => resumed.push(index))

  await new Promise((resolve) => setImmediate(resolve))
  expect(resumed).toHaveLength(16)
  await new Promise((resolve) => setImmediate(resolve))
  expect(resumed).toEqual(slots.map((_, index) => index))
})

test('a transfer of one caller is resumed in the first tick, however many transfers of another wait', async () => {
  const scheduler = createIoScheduler()
  const resumed: string[] = []
  const wait = (caller: string) => scheduler.acquire(caller).waitForTick(() => resumed.push(caller))
  for (const caller of [...Array<string>(100).fill('heavy'), 'light']) wait(caller)

  await new Promise((resolve) => setImmediate(resolve))

  expect(resumed).toHaveLength(16)
  expect(resumed).toContain('light')
})
