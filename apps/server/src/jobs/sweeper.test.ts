import { randomUUID } from 'node:crypto'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createLogger } from '../http/logger.ts'
import { sealFile } from '../testing/sealed-file.ts'
import {
  anUploadId,
  onStoringServer,
  type StoringServer,
  startStoring,
  storedObjects,
} from '../testing/storing-server.ts'
import { createOrphanPass } from './orphans.ts'
import { createSweeper } from './sweeper.ts'

const hour = 3_600_000
const always = new AbortController().signal

/** Bytes that no row knows, as a crash leaves them. */
function anOrphan({ bytesFolder }: StoringServer, { ageMs }: { readonly ageMs: number }): string {
  const id = randomUUID()
  const folder = join(bytesFolder, id.slice(-2), id)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '0'), 'bytes')
  const changedAt = new Date(Date.now() - ageMs)
  utimesSync(folder, changedAt, changedAt)
  return `${id.slice(-2)}/${id}/0`
}

/** As if everything on the disk were from two hours ago. */
function age({ bytesFolder }: StoringServer): void {
  const before = new Date(Date.now() - 2 * hour)
  for (const path of storedObjects(bytesFolder)) utimesSync(join(bytesFolder, path, '..'), before, before)
}

onStoringServer(
  'T136 an upload that was given up is gone after 24 hours, with its bytes and what it held',
  async (server) => {
    const { aUser, sendChunk, call, advance, sweep, bytesFolder, db } = server
    const ann = await aUser()
    const file = await sealFile({ plainBytes: 200_000 })
    const uploadId = anUploadId()
    await sendChunk(ann, { file, uploadId, index: 0 })
    advance(24 * hour - 60_000)

    await sweep()
    const before = (await call(ann, 'GET', '/api/uploads')).json().uploads.length
    advance(120_000)
    await sweep()

    expect(before).toBe(1)
    expect((await call(ann, 'GET', '/api/uploads')).json().uploads).toEqual([])
    expect(storedObjects(bytesFolder)).toEqual([])
    const use = await db.selectFrom('storage_use').selectAll().executeTakeFirstOrThrow()
    expect([use.used_bytes, use.reserved_bytes]).toEqual([0, 0])
    expect(await db.selectFrom('objects').selectAll().execute()).toEqual([])
  },
)

onStoringServer('a chunk gives its upload another 24 hours', async (server) => {
  const { aUser, sendChunk, complete, advance, sweep } = server
  const ann = await aUser()
  const file = await sealFile({ plainBytes: 100_000 })
  const uploadId = anUploadId()
  await sendChunk(ann, { file, uploadId, index: 0 })
  advance(23 * hour)
  await sendChunk(ann, { file, uploadId, index: 1 })
  advance(23 * hour)

  await sweep()

  expect((await complete(ann, { file, uploadId })).statusCode).toBe(200)
})

onStoringServer('a cancelled upload is forgotten once no chunk can be late any more', async (server) => {
  const { aUser, sendChunk, call, advance, sweep, db } = server
  const ann = await aUser()
  const file = await sealFile({ plainBytes: 10 })
  const uploadId = anUploadId()
  await sendChunk(ann, { file, uploadId, index: 0 })
  await call(ann, 'DELETE', `/api/uploads/${uploadId}`)
  await call(ann, 'DELETE', `/api/uploads/${anUploadId()}`)

  await sweep()
  const before = await db.selectFrom('uploads').selectAll().execute()
  advance(16 * 60_000)
  await sweep()

  expect(before).toHaveLength(2)
  expect(await db.selectFrom('uploads').selectAll().execute()).toEqual([])
})

onStoringServer('F18 many expired files go in batches, and those that live stay', async (server) => {
  const { aUser, store, now, advance, sweep, sweeping, db, call } = server
  const ann = await aUser()
  const kept = await store(ann, await sealFile({ plainBytes: 10 }), { 'x-file-expiration-minutes': '1440' })
  const row = await db.selectFrom('files').selectAll().executeTakeFirstOrThrow()
  const expired = Array.from({ length: 450 }, () => ({ ...row, id: randomUUID(), expires_at: now() + 60_000 }))
  await db.insertInto('files').values(expired).execute()
  advance(61_000)

  const firstBatch = await sweeping.removeExpiredFiles(now(), 200)
  await sweep()

  expect(firstBatch).toHaveLength(200)
  expect((await call(ann, 'GET', '/api/files')).json().files.map((file: { id: string }) => file.id)).toEqual([kept])
})

onStoringServer('two nodes that sweep at the same time remove each file once', async (server) => {
  const { aUser, store, advance, sweep, events, db } = server
  const ann = await aUser()
  for (let count = 0; count < 5; count += 1) await store(ann, await sealFile({ plainBytes: 10 }))
  const other = await startStoring(server)
  advance(2 * hour)

  await Promise.all([sweep(), other.sweep(), sweep(), other.sweep()])

  const told = [...events, ...other.events].filter(({ event }) => event.type === 'file.deleted')
  expect(told).toHaveLength(5)
  const use = await db.selectFrom('storage_use').selectAll().executeTakeFirstOrThrow()
  expect(use.used_bytes).toBe(0)
})

onStoringServer(
  'T152 a clock that is set by more than an hour stops the sweep for a round and raises an alarm',
  async (server) => {
    const { aUser, store, call, sweeping, volumes, now } = server
    const ann = await aUser()
    await store(ann, await sealFile({ plainBytes: 10 }))
    let setBy = 0
    const log: string[] = []
    const sweeper = createSweeper({
      store: sweeping,
      volumes,
      announce: () => undefined,
      announceToSession: () => undefined,
      now: () => now() + setBy,
      monotonic: () => performance.now(),
      log: createLogger('info', { write: (line: string) => void log.push(line) }),
    })
    const files = async () => (await call(ann, 'GET', '/api/files')).json().files.length

    await sweeper.run(always)
    setBy = 24 * hour
    await sweeper.run(always)
    const afterForward = { files: await files(), alarms: log.length }
    setBy = 0
    await sweeper.run(always)
    await sweeper.run(always)

    expect(afterForward).toEqual({ files: 1, alarms: 1 })
    expect(log).toHaveLength(2)
    expect(log.join('')).toContain('the clock was set')
    expect(await files()).toBe(1)
  },
)

onStoringServer(
  'T153 what has expired is decided by the time that is passed in, not by the machine',
  async (server) => {
    const { aUser, store, sweeping, now } = server
    const ann = await aUser()
    const fileId = await store(ann, await sealFile({ plainBytes: 10 }))

    const early = await sweeping.removeExpiredFiles(now() + hour - 60_000, 10)
    const late = await sweeping.removeExpiredFiles(now() + hour + 60_000, 10)

    expect(early).toEqual([])
    expect(late.map((file) => file.id)).toEqual([fileId])
  },
)

onStoringServer(
  'F03 bytes without a row go when they are old and were found twice; nothing else does',
  async (server) => {
    const { aUser, store, sendChunk, passOrphans, bytesFolder } = server
    const ann = await aUser()
    await store(ann, await sealFile({ plainBytes: 10 }))
    await sendChunk(ann, { file: await sealFile({ plainBytes: 10 }), uploadId: anUploadId(), index: 0 })
    age(server)
    const living = storedObjects(bytesFolder)
    const old = anOrphan(server, { ageMs: 2 * hour })
    const young = anOrphan(server, { ageMs: hour / 2 })
    writeFileSync(join(bytesFolder, 'incoming', 'young'), 'a part')
    writeFileSync(join(bytesFolder, 'incoming', 'old'), 'a part')
    utimesSync(join(bytesFolder, 'incoming', 'old'), 0, 0)

    await passOrphans()
    const once = storedObjects(bytesFolder)
    await passOrphans()
    const twice = storedObjects(bytesFolder)

    expect(living).toHaveLength(2)
    expect(once.sort()).toEqual([...living, old, young, 'incoming/young'].sort())
    expect(twice.sort()).toEqual([...living, young, 'incoming/young'].sort())
  },
)

onStoringServer('F34 when many bytes seem to have no row, none is removed and an alarm is raised', async (server) => {
  const { aUser, store, sweeping, volumes, bytesFolder } = server
  const ann = await aUser()
  await store(ann, await sealFile({ plainBytes: 10 }))
  for (let count = 0; count < 6; count += 1) anOrphan(server, { ageMs: 2 * hour })
  const log: string[] = []
  const pass = createOrphanPass({
    store: sweeping,
    volumes,
    log: createLogger('info', { write: (line: string) => void log.push(line) }),
  })

  for (let count = 0; count < 3; count += 1) await pass.run(always)

  expect(storedObjects(bytesFolder)).toHaveLength(7)
  expect(log.join('')).toContain('too many bytes without a row')
})

onStoringServer('T159 an orphan pass beside completions removes no live file', async (server) => {
  const { aUser, sendChunk, complete, passOrphans, call } = server
  const ann = await aUser()
  const files = await Promise.all(Array.from({ length: 20 }, () => sealFile({ plainBytes: 10 })))

  for (const file of files) {
    const uploadId = anUploadId()
    await sendChunk(ann, { file, uploadId, index: 0 })
    age(server)
    await Promise.all([complete(ann, { file, uploadId }), passOrphans(), passOrphans()])
  }

  const listed = (await call(ann, 'GET', '/api/files')).json().files
  expect(listed).toHaveLength(20)
  for (const { id } of listed) expect((await call(ann, 'GET', `/api/download/${id}`)).statusCode).toBe(200)
})
