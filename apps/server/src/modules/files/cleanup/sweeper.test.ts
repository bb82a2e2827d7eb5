import { randomUUID } from 'node:crypto'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createLogger } from '../../../platform/http/logger.ts'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import {
  type FileServer,
  onFileServerWithBothDatabases,
  randomUploadId,
  startFileServer,
  storedObjects,
} from '../../../testing/servers/file-server.ts'
import { createOrphanSweep } from './orphan-sweep.ts'

const hour = 3_600_000
const neverAborted = new AbortController().signal

/** Creates stored bytes without a row, as a crash leaves them. */
function createOrphan({ bytesFolder }: FileServer, { ageMs }: { readonly ageMs: number }): string {
  const id = randomUUID()
  const folder = join(bytesFolder, id.slice(-2), id)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '0'), 'bytes')
  const changedAt = new Date(Date.now() - ageMs)
  utimesSync(folder, changedAt, changedAt)
  return `${id.slice(-2)}/${id}/0`
}

/** Backdates everything on disk by 2 hours. */
function backdate({ bytesFolder }: FileServer): void {
  const before = new Date(Date.now() - 2 * hour)
  for (const path of storedObjects(bytesFolder)) utimesSync(join(bytesFolder, path, '..'), before, before)
}

onFileServerWithBothDatabases(
  'T136 an abandoned upload is removed after 24 hours, with its bytes and reserved storage',
  async (server) => {
    const { createUser, sendChunk, call, advance, sweep, bytesFolder, db } = server
    const ann = await createUser()
    const file = await sealFile({ plainBytes: 200_000 })
    const uploadId = randomUploadId()
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

onFileServerWithBothDatabases('a chunk extends its upload by 24 hours', async (server) => {
  const { createUser, sendChunk, complete, advance, sweep } = server
  const ann = await createUser()
  const file = await sealFile({ plainBytes: 100_000 })
  const uploadId = randomUploadId()
  await sendChunk(ann, { file, uploadId, index: 0 })
  advance(23 * hour)
  await sendChunk(ann, { file, uploadId, index: 1 })
  advance(23 * hour)

  await sweep()

  expect((await complete(ann, { file, uploadId })).statusCode).toBe(200)
})

onFileServerWithBothDatabases('a cancelled upload is removed once no late chunk can arrive', async (server) => {
  const { createUser, sendChunk, call, advance, sweep, db } = server
  const ann = await createUser()
  const file = await sealFile({ plainBytes: 10 })
  const uploadId = randomUploadId()
  await sendChunk(ann, { file, uploadId, index: 0 })
  await call(ann, 'DELETE', `/api/uploads/${uploadId}`)
  await call(ann, 'DELETE', `/api/uploads/${randomUploadId()}`)

  await sweep()
  const before = await db.selectFrom('uploads').selectAll().execute()
  advance(16 * 60_000)
  await sweep()

  expect(before).toHaveLength(2)
  expect(await db.selectFrom('uploads').selectAll().execute()).toEqual([])
})

onFileServerWithBothDatabases('F18 expired files are removed in batches, and other files stay', async (server) => {
  const { createUser, store, now, advance, sweep, sweeping, db, call } = server
  const ann = await createUser()
  const unexpired = await store(ann, await sealFile({ plainBytes: 10 }), { 'x-file-expiration-minutes': '1440' })
  const row = await db.selectFrom('files').selectAll().executeTakeFirstOrThrow()
  const expired = Array.from({ length: 450 }, () => ({ ...row, id: randomUUID(), expires_at: now() + 60_000 }))
  await db.insertInto('files').values(expired).execute()
  advance(61_000)

  const firstBatch = await sweeping.removeExpiredFiles(now(), 200)
  await sweep()

  expect(firstBatch).toHaveLength(200)
  expect((await call(ann, 'GET', '/api/files')).json().files.map((file: { id: string }) => file.id)).toEqual([
    unexpired,
  ])
})

onFileServerWithBothDatabases('two nodes that sweep concurrently remove each file once', async (server) => {
  const { createUser, store, advance, sweep, events, db } = server
  const ann = await createUser()
  for (let count = 0; count < 5; count += 1) await store(ann, await sealFile({ plainBytes: 10 }))
  const other = await startFileServer(server)
  advance(2 * hour)

  await Promise.all([sweep(), other.sweep(), sweep(), other.sweep()])

  const published = [...events, ...other.events].filter(({ event }) => event.type === 'file.deleted')
  expect(published).toHaveLength(5)
  const use = await db.selectFrom('storage_use').selectAll().executeTakeFirstOrThrow()
  expect(use.used_bytes).toBe(0)
})

onFileServerWithBothDatabases(
  'T153 expiry depends on the time that is passed in, not on the system clock',
  async (server) => {
    const { createUser, store, sweeping, now } = server
    const ann = await createUser()
    const fileId = await store(ann, await sealFile({ plainBytes: 10 }))

    const early = await sweeping.removeExpiredFiles(now() + hour - 60_000, 10)
    const late = await sweeping.removeExpiredFiles(now() + hour + 60_000, 10)

    expect(early).toEqual([])
    expect(late.map((file) => file.id)).toEqual([fileId])
  },
)

onFileServerWithBothDatabases(
  'F03 the orphan sweep removes only bytes without a row that are old and were found twice',
  async (server) => {
    const { createUser, store, sendChunk, runOrphanPass, bytesFolder } = server
    const ann = await createUser()
    await store(ann, await sealFile({ plainBytes: 10 }))
    await sendChunk(ann, { file: await sealFile({ plainBytes: 10 }), uploadId: randomUploadId(), index: 0 })
    backdate(server)
    const storedBefore = storedObjects(bytesFolder)
    const old = createOrphan(server, { ageMs: 2 * hour })
    const young = createOrphan(server, { ageMs: hour / 2 })
    writeFileSync(join(bytesFolder, 'incoming', 'young'), 'a part')
    writeFileSync(join(bytesFolder, 'incoming', 'old'), 'a part')
    utimesSync(join(bytesFolder, 'incoming', 'old'), 0, 0)

    await runOrphanPass()
    const afterFirst = storedObjects(bytesFolder)
    await runOrphanPass()
    const afterSecond = storedObjects(bytesFolder)

    expect(storedBefore).toHaveLength(2)
    expect(afterFirst.sort()).toEqual([...storedBefore, old, young, 'incoming/young'].sort())
    expect(afterSecond.sort()).toEqual([...storedBefore, young, 'incoming/young'].sort())
  },
)

onFileServerWithBothDatabases(
  'F34 when many bytes have no row, none is removed and an error is logged',
  async (server) => {
    const { createUser, store, sweeping, volumes, bytesFolder } = server
    const ann = await createUser()
    await store(ann, await sealFile({ plainBytes: 10 }))
    for (let count = 0; count < 6; count += 1) createOrphan(server, { ageMs: 2 * hour })
    const log: string[] = []
    const orphanSweep = createOrphanSweep({
      store: sweeping,
      volumes,
      log: createLogger('info', { write: (line: string) => void log.push(line) }),
    })

    for (let count = 0; count < 3; count += 1) await orphanSweep.run(neverAborted)

    expect(storedObjects(bytesFolder)).toHaveLength(7)
    expect(log.join('')).toContain('too many bytes without a row')
  },
)

onFileServerWithBothDatabases(
  'T159 an orphan sweep concurrent with completions removes no live file',
  async (server) => {
    const { createUser, sendChunk, complete, runOrphanPass, call } = server
    const ann = await createUser()
    const files = await Promise.all(Array.from({ length: 20 }, () => sealFile({ plainBytes: 10 })))

    for (const file of files) {
      const uploadId = randomUploadId()
      await sendChunk(ann, { file, uploadId, index: 0 })
      backdate(server)
      await Promise.all([complete(ann, { file, uploadId }), runOrphanPass(), runOrphanPass()])
    }

    const listed = (await call(ann, 'GET', '/api/files')).json().files
    expect(listed).toHaveLength(20)
    for (const { id } of listed) expect((await call(ann, 'GET', `/api/download/${id}`)).statusCode).toBe(200)
  },
)
