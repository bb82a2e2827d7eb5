import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { sealFile, type TestFile } from '../../testing/clients/sealed-file.ts'
import { startBreakableProxy } from '../../testing/engines/breakable-proxy.ts'
import type { onBothDatabases } from '../../testing/engines/databases.ts'
import { fillDisk, mountSmallDisk, skipUnlessMountable } from '../../testing/engines/small-disk.ts'
import { waitUntil } from '../../testing/servers/file-server.ts'
import { startWholeServer, type WholeServer } from '../../testing/servers/whole-server.ts'
import { startStopwatch } from '../../testing/stopwatch.ts'
import { postgresDialect } from './postgres.ts'

const megabyte = 1024 * 1024
const onEmbedded: typeof onBothDatabases = (title, body) => test(title, () => body(undefined as never))

test('F15 while PostgreSQL is down every endpoint responds with 503 at once, and recovers afterwards', async () => {
  const database = new URL(await (await fetch(`${inject('databaseServer')}/postgres`)).text())
  const proxy = await startBreakableProxy({ port: Number(database.port), host: database.hostname })
  database.port = String(proxy.port)
  const server = await startWholeServer({ DATABASE_URL: database.href })
  const { accessToken } = await server.createMember()
  const first = await server.store(accessToken, await sealFile({ plainBytes: 10 }))
  const next = await sealFile({ plainBytes: 10 })

  await proxy.disconnect()
  for (const call of callsOf(server, { accessToken, file: next })) {
    const elapsed = await startStopwatch()
    const answer = await call()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.text()).not.toMatch(/ECONN|postgres|connect/i)
    expect(elapsed()).toBeLessThan(2000)
  }
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await proxy.reconnect()

  await waitUntil(async () => (await fetch(`${server.url}/readyz`)).status === 200)
  const second = await server.store(accessToken, next)
  expect(await listedBy(server, accessToken)).toEqual([second, first])
  await server.stop()
})

test('F15 a connection that breaks between two queries of a transaction fails only that transaction', async () => {
  const database = new URL(await (await fetch(`${inject('databaseServer')}/postgres`)).text())
  const proxy = await startBreakableProxy({ port: Number(database.port), host: database.hostname })
  database.port = String(proxy.port)
  const db = new Kysely<unknown>({ dialect: postgresDialect(database.href, () => undefined) })

  const broken = db.transaction().execute(async (transaction) => {
    await sql`select 1`.execute(transaction)
    await proxy.disconnect()
    await pause(100)
    await sql`select 2`.execute(transaction)
  })

  await expect(broken).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await proxy.reconnect()
  expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }])
  await db.destroy()
})

test('F10 a database locked by another process gets 503 after 5 seconds, without partial writes', async () => {
  const server = await startWholeServer()
  const { accessToken } = await server.createMember()
  const other = new DatabaseSync(join(server.folder, 'sallyport.db'))
  const file = await sealFile({ plainBytes: 10 })
  other.exec('begin immediate')

  const [startedAt, elapsed] = [performance.now(), await startStopwatch()]
  const waiting = upload(server, accessToken, file)
  const health = await fetch(`${server.url}/healthz`)
  const healthAfter = elapsed()
  const answer = await waiting
  const waited = performance.now() - startedAt
  const reading = await fetch(`${server.url}/api/files`, bearer(accessToken))
  other.exec('rollback')
  const again = await upload(server, accessToken, file)

  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(waited).toBeGreaterThan(4900)
  expect([health.status, healthAfter < 2000]).toEqual([200, true])
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

  for (let count = 0; count < 5; count += 1) {
    const copy = join(server.folder, `copy-${count}.db`)
    await backup(source, copy, { rate: 100_000 })
    copies.push(copy)
  }
  isDone = true
  await load

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

test('F14 a server with 100,000 files is ready within 10 seconds', async () => {
  const before = await startWholeServer()
  const { accessToken, userId } = await before.createMember()
  await before.store(accessToken, await sealFile({ plainBytes: 10 }))
  const { folder } = before
  await before.closeKeepingData()
  const database = new DatabaseSync(join(folder, 'sallyport.db'))
  multiply(database, userId)
  database.close()

  const elapsed = await startStopwatch()
  const server = await startWholeServer({ DATA_DIR: folder })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(elapsed()).toBeLessThan(10_000)

  const headers = { authorization: `Bearer ${accessToken}` }
  expect((await fetch(`${server.url}/api/user-info`, { headers })).status).toBe(200)
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Inserts another 100,000 rows like the only file, of the same user. */
function multiply(database: DatabaseSync, ownerId: string): void {
  const row = { ...database.prepare('select * from files').get() }
  const upload = { ...database.prepare('select * from uploads').get() }
  const names = Object.keys(row)
  const uploadNames = Object.keys(upload)
  const insert = database.prepare(`insert into files (${names}) values (${names.map(() => '?')})`)
  const insertUpload = database.prepare(`insert into uploads (${uploadNames}) values (${uploadNames.map(() => '?')})`)
  expect(row['owner_id']).toBe(ownerId)
  database.exec('begin')
  for (let count = 0; count < 100_000; count += 1) {
    const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
    insertUpload.run(...uploadNames.map((name) => ({ ...upload, id, upload_key: id })[name] ?? null))
    insert.run(...names.map((name) => ({ ...row, id })[name] ?? null))
  }
  database.exec('commit')
}

interface CallInput {
  readonly accessToken: string
  readonly file: TestFile
}

const bearer = (accessToken: string) => ({ headers: { authorization: `Bearer ${accessToken}` } })

function upload({ url }: WholeServer, accessToken: string, file: TestFile): Promise<Response> {
  return fetch(`${url}/api/upload`, {
    method: 'POST',
    headers: {
      ...bearer(accessToken).headers,
      'content-type': 'application/octet-stream',
      'x-file-name': file.name,
      'x-encrypted-file-key': file.envelope,
    },
    body: new Uint8Array(file.sealed),
  })
}

function callsOf(server: WholeServer, { accessToken, file }: CallInput): (() => Promise<Response>)[] {
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: 'somebody@example.org', password: `Zk2.${'A'.repeat(43)}` })
  return [
    () => upload(server, accessToken, file),
    () => fetch(`${server.url}/api/files`, bearer(accessToken)),
    () => fetch(`${server.url}/api/login`, { method: 'POST', headers: json, body }),
    () => fetch(`${server.url}/auth/v1/user`, bearer(accessToken)),
    () => fetch(`${server.url}/api/share/${'A'.repeat(22)}`),
  ]
}

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
