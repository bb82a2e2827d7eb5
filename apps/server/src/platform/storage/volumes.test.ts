import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, renameSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { apiError } from '../../errors.ts'
import { storedObjects, waitUntil } from '../../testing/servers/file-server.ts'
import type { BlobStore } from './blob-store.ts'
import type { FailpointName } from './failpoints.ts'
import { createVolumes, openVolumes } from './volumes.ts'

const createFolder = (): string => mkdtempSync(join(tmpdir(), 'sallyport-volume-'))
const neverAborted = new AbortController().signal

async function openTestVolume(failpoint: (point: FailpointName) => void = () => undefined) {
  const folder = createFolder()
  const { all } = await openVolumes({ folders: [folder], failpoint })
  const [volume] = all
  if (!volume) throw new Error('Expected a volume for every folder')
  return { folder, volume }
}

interface PutInput {
  readonly fileId: string
  readonly bytes: Readable
  readonly length: number
  readonly signal?: AbortSignal
}

const put = (volume: BlobStore, { fileId, bytes, length, signal = neverAborted }: PutInput) =>
  volume.put({ caller: 'anyone', fileId, index: 0, bytes, length: { least: length, most: length }, signal })

test('put: stores, counts and checksums the bytes of buffers of any size', async () => {
  const { folder, volume } = await openTestVolume()
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

test('put: a body that is too short, too long or aborted leaves the previous object unchanged', async () => {
  const { folder, volume } = await openTestVolume()
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
    put(volume, { fileId, bytes: new PassThrough(), length: 100, signal: AbortSignal.abort(apiError('CONFLICT')) }),
  ]
  broken.write(randomBytes(50))
  ended.write(randomBytes(50))
  setTimeout(() => broken.destroy(), 20)
  setTimeout(() => ending.abort(apiError('CONFLICT')), 20)
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

test('put: applies backpressure while the disk is slower than the sender', async () => {
  const { folder, volume } = await openTestVolume()
  const pieceBytes = 64 * 1024
  const total = 64 * 1024 * 1024
  const bytes = Readable.from(Array.from({ length: total / pieceBytes }, () => Buffer.alloc(pieceBytes)))
  let received = 0
  let maxBuffered = 0
  const onPiece = (count: number): void => {
    received += count
    const [draft = ''] = storedObjects(folder)
    maxBuffered = Math.max(maxBuffered, received - statSync(join(folder, draft)).size)
  }

  await volume.put({
    caller: 'anyone',
    fileId: randomUUID(),
    index: 0,
    bytes,
    length: { least: total, most: total },
    signal: neverAborted,
    onPiece,
  })

  expect(received).toBe(total)
  expect(maxBuffered).toBeLessThanOrEqual(2 * 1024 * 1024 + pieceBytes)
})

test('F04 an object is synced before it is renamed, and syncFolders syncs its folders', async () => {
  const points: FailpointName[] = []
  const { volume } = await openTestVolume((point) => points.push(point))
  const fileId = randomUUID()

  await put(volume, { fileId, bytes: Readable.from([Buffer.alloc(10)]), length: 10 })
  await volume.syncFolders(fileId)

  expect(points).toEqual([
    'after-chunk-write',
    'before-chunk-fsync',
    'after-chunk-fsync',
    'after-chunk-rename',
    'before-directory-fsync',
    'after-directory-fsync',
  ])
})

test('an invalid file id never becomes a path', async () => {
  const { folder, volume } = await openTestVolume()

  for (const fileId of ['../../x', '', 'a/b', `${randomUUID()}/..`, randomUUID().toUpperCase()]) {
    await expect(put(volume, { fileId, bytes: Readable.from([Buffer.alloc(1)]), length: 1 })).rejects.toThrow(TypeError)
  }
  expect(storedObjects(folder)).toEqual([])
})

test('F32 a missing volume is unavailable and works again after it is back', async () => {
  const { folder, volume } = await openTestVolume()
  const fileId = randomUUID()
  await put(volume, { fileId, bytes: Readable.from([Buffer.alloc(10)]), length: 10 })
  renameSync(folder, `${folder}-away`)

  const write = put(volume, { fileId: randomUUID(), bytes: Readable.from([Buffer.alloc(1)]), length: 1 })
  await expect(write).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(volume.open(fileId, 0, { start: 0, end: 9 }, 'anyone')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(volume.probe()).rejects.toThrow()
  renameSync(`${folder}-away`, folder)

  expect(await (await volume.open(fileId, 0, { start: 0, end: 9 }, 'anyone')).toArray()).toHaveLength(1)
})

test('the bytes of a file are lost if they are missing from a volume that is there', async () => {
  const { volume } = await openTestVolume()
  const fileId = randomUUID()
  await put(volume, { fileId, bytes: Readable.from([Buffer.alloc(10)]), length: 10 })
  await volume.remove(fileId)

  await expect(volume.open(fileId, 0, { start: 0, end: 9 }, 'anyone')).rejects.toMatchObject({
    code: 'FILE_BYTES_LOST',
  })
})

test('T138 new files go to the volume with the most free space and never to a failed one', async () => {
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
  await expect(broken.choose(1)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
})

test('a volume keeps its id when its folder moves, and an unknown volume is unavailable', async () => {
  const [one, other] = [createFolder(), createFolder()]
  const before = (await openVolumes({ folders: [one, other] })).all.map((store) => store.id)
  renameSync(one, `${one}-moved`)

  const after = await openVolumes({ folders: [`${one}-moved`, other] })

  expect(new Set(before).size).toBe(2)
  expect(after.all.map((store) => store.id)).toEqual(before)
  expect(() => after.of(randomUUID())).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }))
})

test('a held file is removed when its last holder releases it', async () => {
  const { folder, volume } = await openTestVolume()
  const fileId = randomUUID()
  await put(volume, { fileId, bytes: Readable.from([Buffer.alloc(10)]), length: 10 })
  const releases = [volume.hold(fileId), volume.hold(fileId)]

  await volume.remove(fileId)
  releases[0]?.()
  releases[0]?.()
  const held = storedObjects(folder).length
  releases[1]?.()
  await waitUntil(() => storedObjects(folder).length === 0)

  expect(held).toBe(1)
})
