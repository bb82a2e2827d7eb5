import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, renameSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { refuse } from '../errors.ts'
import { storedObjects, until } from '../testing/storing-server.ts'
import type { BlobStore } from './blob-store.ts'
import type { FailPoint } from './fail-points.ts'
import { createVolumes, openVolumes } from './volumes.ts'

const aFolder = (): string => mkdtempSync(join(tmpdir(), 'sallyport-volume-'))
const always = new AbortController().signal

async function aVolume(reached: (point: FailPoint) => void = () => undefined) {
  const folder = aFolder()
  const { all } = await openVolumes({ folders: [folder], reached })
  const [volume] = all
  if (!volume) throw new Error('There is a volume for every folder')
  return { folder, volume }
}

interface Put {
  readonly fileId: string
  readonly bytes: Readable
  readonly length: number
  readonly signal?: AbortSignal
}

const put = (volume: BlobStore, { fileId, bytes, length, signal = always }: Put) =>
  volume.put({ fileId, index: 0, bytes, length: { least: length, most: length }, signal })

test('bytes are stored whole, counted and summed up, whatever pieces they come in', async () => {
  const { folder, volume } = await aVolume()
  const bytes = randomBytes(5_000_003)
  const cuts = [0, 1, 2, 70_000, 70_001, 1_200_000, 4_000_000, bytes.length]
  const pieces = cuts.slice(1).map((end, at) => bytes.subarray(cuts[at], end))
  const many = Array.from({ length: 3000 }, (_, at) => bytes.subarray(at, at + 1))

  const large = randomUUID()
  const small = randomUUID()
  const stored = await put(volume, { fileId: large, bytes: Readable.from(pieces), length: bytes.length })
  await put(volume, { fileId: small, bytes: Readable.from(many), length: 3000 })

  expect(stored).toEqual({ bytes: bytes.length, checksum: crc32(bytes) })
  expect(readFileSync(join(folder, large.slice(-2), large, '0')).equals(bytes)).toBe(true)
  expect(readFileSync(join(folder, small.slice(-2), small, '0')).equals(bytes.subarray(0, 3000))).toBe(true)
  expect(await volume.size(large, 0)).toBe(bytes.length)
  expect(await volume.size(large, 1)).toBeNull()
})

test('what is too short, too long or broken off leaves the object before as it was', async () => {
  const { folder, volume } = await aVolume()
  const fileId = randomUUID()
  const before = randomBytes(100)
  await put(volume, { fileId, bytes: Readable.from([Buffer.from(before)]), length: 100 })
  const broken = new PassThrough()
  const ended = new PassThrough()
  const ending = new AbortController()

  const attempts = [
    put(volume, { fileId, bytes: Readable.from([randomBytes(99)]), length: 100 }),
    put(volume, { fileId, bytes: Readable.from([randomBytes(101)]), length: 100 }),
    put(volume, { fileId, bytes: broken, length: 100 }),
    put(volume, { fileId, bytes: ended, length: 100, signal: ending.signal }),
    put(volume, { fileId, bytes: new PassThrough(), length: 100, signal: AbortSignal.abort(refuse('CONFLICT')) }),
  ]
  broken.write(randomBytes(50))
  ended.write(randomBytes(50))
  setTimeout(() => broken.destroy(), 20)
  setTimeout(() => ending.abort(refuse('CONFLICT')), 20)
  const outcomes = await Promise.allSettled(attempts)

  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual([
    'CHUNK_LENGTH_WRONG',
    'CHUNK_TOO_LONG',
    'BAD_REQUEST',
    'CONFLICT',
    'CONFLICT',
  ])
  expect(storedObjects(folder)).toHaveLength(1)
  expect(readFileSync(join(folder, fileId.slice(-2), fileId, '0')).equals(before)).toBe(true)
})

test('the sender is made to wait while the disk is slower', async () => {
  const { folder, volume } = await aVolume()
  const pieceBytes = 64 * 1024
  const total = 64 * 1024 * 1024
  const bytes = Readable.from(Array.from({ length: total / pieceBytes }, () => Buffer.alloc(pieceBytes)))
  let arrived = 0
  let mostInMemory = 0
  const onPiece = (count: number): void => {
    arrived += count
    const [draft = ''] = storedObjects(folder)
    mostInMemory = Math.max(mostInMemory, arrived - statSync(join(folder, draft)).size)
  }

  await volume.put({
    fileId: randomUUID(),
    index: 0,
    bytes,
    length: { least: total, most: total },
    signal: always,
    onPiece,
  })

  expect(arrived).toBe(total)
  expect(mostInMemory).toBeLessThanOrEqual(2 * 1024 * 1024 + pieceBytes)
})

test('F04 an object is on the disk before it gets its name, and its name before it is settled', async () => {
  const points: FailPoint[] = []
  const { volume } = await aVolume((point) => points.push(point))
  const fileId = randomUUID()

  await put(volume, { fileId, bytes: Readable.from([Buffer.alloc(10)]), length: 10 })
  await volume.settle(fileId)

  expect(points).toEqual([
    'after-chunk-write',
    'before-chunk-fsync',
    'after-chunk-fsync',
    'after-chunk-rename',
    'before-directory-fsync',
    'after-directory-fsync',
  ])
})

test('an id that is none never becomes a path', async () => {
  const { folder, volume } = await aVolume()

  for (const fileId of ['../../x', '', 'a/b', `${randomUUID()}/..`, randomUUID().toUpperCase()]) {
    await expect(put(volume, { fileId, bytes: Readable.from([Buffer.alloc(1)]), length: 1 })).rejects.toThrow(TypeError)
  }
  expect(storedObjects(folder)).toEqual([])
})

test('F32 a volume that has disappeared is unavailable, and as before when it is back', async () => {
  const { folder, volume } = await aVolume()
  const fileId = randomUUID()
  await put(volume, { fileId, bytes: Readable.from([Buffer.alloc(10)]), length: 10 })
  renameSync(folder, `${folder}-away`)

  const write = put(volume, { fileId: randomUUID(), bytes: Readable.from([Buffer.alloc(1)]), length: 1 })
  await expect(write).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(volume.open(fileId, 0, { start: 0, end: 9 })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(volume.probe()).rejects.toThrow()
  renameSync(`${folder}-away`, folder)

  expect(await (await volume.open(fileId, 0, { start: 0, end: 9 })).toArray()).toHaveLength(1)
})

test('T138 new files go where most room is, and not to a volume that has failed', async () => {
  const store = (id: string, freeBytes: number, probe: () => Promise<void> = async () => undefined) =>
    ({ id, freeBytes: async () => freeBytes, probe }) as BlobStore
  const failing = async () => {
    throw new Error('input/output error')
  }

  const roomiest = createVolumes([store('small', 10), store('large', 20), store('broken', 30, failing)])
  const full = createVolumes([store('small', 10), store('none', 0)])
  const broken = createVolumes([store('broken', 30, failing)])

  expect((await roomiest.choose(5)).id).toBe('large')
  await expect(roomiest.choose(25)).rejects.toMatchObject({ code: 'NO_SPACE' })
  await expect(full.choose(11)).rejects.toMatchObject({ code: 'NO_SPACE' })
  await expect(broken.choose(1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('a volume keeps its name when its folder moves, and a file is not looked for elsewhere', async () => {
  const [one, other] = [aFolder(), aFolder()]
  const before = (await openVolumes({ folders: [one, other] })).all.map((store) => store.id)
  renameSync(one, `${one}-moved`)

  const after = await openVolumes({ folders: [`${one}-moved`, other] })

  expect(new Set(before).size).toBe(2)
  expect(after.all.map((store) => store.id)).toEqual(before)
  expect(() => after.of(randomUUID())).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }))
})

test('a file that is held is removed when the last holder lets go', async () => {
  const { folder, volume } = await aVolume()
  const fileId = randomUUID()
  await put(volume, { fileId, bytes: Readable.from([Buffer.alloc(10)]), length: 10 })
  const letGo = [volume.hold(fileId), volume.hold(fileId)]

  await volume.remove(fileId)
  letGo[0]?.()
  letGo[0]?.()
  const held = storedObjects(folder).length
  letGo[1]?.()
  await until(() => storedObjects(folder).length === 0)

  expect(held).toBe(1)
})
