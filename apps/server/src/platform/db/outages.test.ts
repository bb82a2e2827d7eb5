import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { bearer, callsOf, upload } from '../../testing/clients/outage-calls.ts'
import { sealFile } from '../../testing/clients/sealed-file.ts'
import { startBreakablePostgres } from '../../testing/engines/breakable-postgres.ts'
import type { onBothDatabases } from '../../testing/engines/databases.ts'
import { fillDisk, mountSmallDisk, skipUnlessMountable } from '../../testing/engines/small-disk.ts'
import { waitUntil } from '../../testing/servers/file-server.ts'
import { createLargeFolder } from '../../testing/servers/large-folder.ts'
import { startWholeServer, type WholeServer } from '../../testing/servers/whole-server.ts'
import { postgresDialect } from './postgres.ts'

const megabyte = 1024 * 1024
const onEmbedded: typeof onBothDatabases = (title, body) => test(title, () => body(undefined as never))

test('F15 while PostgreSQL is down every endpoint responds with 503, and recovers afterwards', async () => {
  const database = await startBreakablePostgres()
  const server = await startWholeServer({ DATABASE_URL: database.url })
  const { accessToken } = await server.createMember()
  const first = await server.store(accessToken, await sealFile({ plainBytes: 10 }))
  const next = await sealFile({ plainBytes: 10 })

  await database.disconnect()
  for (const call of callsOf(server, { accessToken, file: next })) {
    const answer = await call()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.text()).not.toMatch(/ECONN|postgres|connect/i)
  }
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await database.reconnect()

  await waitUntil(async () => (await fetch(`${server.url}/readyz`)).status === 200)
  const second = await server.store(accessToken, next)
  expect(await listedBy(server, accessToken)).toEqual([second, first])
  await server.stop()
})

test('F15 a connection that breaks between two queries of a transaction fails only that transaction', async () => {
  const database = await startBreakablePostgres()
  const db = new Kysely<unknown>({ dialect: postgresDialect(database.url, () => undefined) })

  const broken = db.transaction().execute(async (transaction) => {
    await sql`select 1`.execute(transaction)
    await database.disconnect()
    await pause(100)
    await sql`select 2`.execute(transaction)
  })

  await expect(broken).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await database.reconnect()
  expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }])
  await db.destroy()
})

test('F10 a database locked by another process gets 503 after 5 seconds, without partial writes', async () => {
  const server = await startWholeServer()
  const { accessToken } = await server.createMember()
  const other = new DatabaseSync(join(server.folder, 'sallyport.db'))
  const file = await sealFile({ plainBytes: 10 })
  other.exec('begin immediate')

  const startedAt = performance.now()
  let isAnswered = false
  const waiting = upload(server, accessToken, file).finally(() => {
    isAnswered = true
  })
  const health = await fetch(`${server.url}/healthz`)
  const isHealthFirst = !isAnswered
  const answer = await waiting
  const waited = performance.now() - startedAt
  const reading = await fetch(`${server.url}/api/files`, bearer(accessToken))
  other.exec('rollback')
  const again = await upload(server, accessToken, file)

  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(waited).toBeGreaterThan(4900)
  expect([health.status, isHealthFirst], 'other requests are answered meanwhile').toEqual([200, true])
  expect(reading.status).toBe(200)
  expect(again.status).toBe(200)
  expect(await listedBy(server, accessToken)).toHaveLength(1)
  other.close()
  await server.stop()
})

skipUnlessMountable(onEmbedded)(
  'F07 a database on a full disk rejects writes with 507, serves reads and stays consistent',
  async () => {
    const disk = mountSmallDisk(8 * megabyte)
    const bytes = mountSmallDisk(8 * megabyte)
    const server = await startWholeServer({ DATA_DIR: disk.folder, VOLUMES: bytes.folder })
    const { accessToken } = await server.createMember()
    const storedBefore = await server.store(accessToken, await sealFile({ plainBytes: 10 }))
    const filling = join(disk.folder, 'filling')
    fillDisk(filling)

    const statuses = new Set<number>()
    const acknowledged: string[] = []
    for (let count = 0; count < 600 && !statuses.has(507); count += 1) {
      const answer = await upload(server, accessToken, await sealFile({ plainBytes: 10 }))
      statuses.add(answer.status)
      if (answer.status === 200) acknowledged.push(((await answer.json()) as { id: string }).id)
    }
    const listed = await listedBy(server, accessToken)
    const read = await fetch(`${server.url}/api/download/${storedBefore}`, bearer(accessToken))
    rmSync(filling)
    const after = await upload(server, accessToken, await sealFile({ plainBytes: 10 }))

    expect([...statuses].filter((status) => status !== 200)).toEqual([507])
    expect(listed.toSorted()).toEqual([storedBefore, ...acknowledged].toSorted())
    expect(read.status).toBe(200)
    expect(after.status).toBe(200)
    await server.stop()
    expectConsistent(join(disk.folder, 'sallyport.db'))
    disk.unmount()
    bytes.unmount()
  },
)

test('F11 a backup of the database made during uploads is consistent', async () => {
  const server = await startWholeServer()
  const { accessToken } = await server.createMember()
  const source = new DatabaseSync(join(server.folder, 'sallyport.db'))
  const copies: string[] = []
  let isDone = false
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isDone) await server.store(accessToken, await sealFile({ plainBytes: 10 }))
    }),
  )

  try {
    for (let count = 0; count < 5; count += 1) {
      const copy = join(server.folder, `copy-${count}.db`)
      await backup(source, copy, { rate: 100_000 })
      copies.push(copy)
    }
  } finally {
    isDone = true
    await load
  }

  const objects = new Set(
    readdirSync(join(server.folder, 'volumes', 'main'), { recursive: true, encoding: 'utf8' }).map((path) =>
      path.split('/').at(1),
    ),
  )
  for (const copy of copies) {
    for (const { id } of expectConsistent(copy)) expect(objects.has(id)).toBe(true)
  }
  source.close()
  await server.stop()
})

test('F14 a server with 100,000 files becomes ready and answers requests', async () => {
  const folder = await createLargeFolder()
  const server = await startWholeServer({ DATA_DIR: folder.path })

  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect((await fetch(`${server.url}/api/user-info`, bearer(folder.accessToken))).status).toBe(200)
  await server.stop()
})

async function listedBy({ url }: WholeServer, accessToken: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/files`, bearer(accessToken))
  return ((await answer.json()) as { files: { id: string }[] }).files.map(({ id }) => id)
}

/** Checks the integrity of a database and returns its files. */
function expectConsistent(path: string): { id: string }[] {
  const database = new DatabaseSync(path)
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(database.prepare('pragma foreign_key_check').all()).toEqual([])
  const files = database.prepare('select id from files').all() as { id: string }[]
  const [use] = database.prepare('select sum(used_bytes) as bytes from storage_use').all()
  const [sizes] = database.prepare('select sum(plain_bytes) as bytes from files').all()
  expect(use?.['bytes'] ?? 0).toBe(sizes?.['bytes'] ?? 0)
  database.close()
  return files
}
