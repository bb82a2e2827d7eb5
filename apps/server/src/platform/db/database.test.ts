import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { createTestFolder } from '../../testing/test-folder.ts'
import { openDatabase } from './open.ts'
import { openSqliteFile } from './sqlite.ts'

const minuteMs = 60_000
const createFolder = (): string => mkdtempSync(join(tmpdir(), 'sallyport-'))
const open = () => openDatabase({ databaseUrl: undefined, folder: createFolder(), onError: () => undefined })

test('a query that bypasses its surrounding transaction fails at once instead of deadlocking', async () => {
  const { db, close } = await open()

  const attempt = db.transaction().execute(async () => {
    await db.selectFrom('users').selectAll().execute()
  })

  await expect(attempt).rejects.toThrow('must use the transaction')
  await db.selectFrom('users').selectAll().execute()
  await close()
})

test('the files of the embedded database are readable only by their owner, in any folder and after an upgrade', async () => {
  const folder = createFolder()
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'sallyport.db'), '')
  chmodSync(join(folder, 'sallyport.db'), 0o644)
  const { db, close } = await openDatabase({ databaseUrl: undefined, folder, onError: () => undefined })
  await db.selectFrom('users').selectAll().execute()

  const modes = ['sallyport.db', 'sallyport.db-wal', 'sallyport.db-shm'].map(
    (name) => statSync(join(folder, name)).mode & 0o777,
  )

  expect(modes).toEqual([0o600, 0o600, 0o600])
  await close()
})

test('T153 F21 nodes whose clocks differ by 5 minutes use the time of PostgreSQL', async () => {
  const databaseUrl = await (await fetch(`${inject('databaseServer')}/postgres`)).text()
  const right = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: right + 5 * minuteMs })
  onTestFinished(() => void vi.useRealTimers())
  const ahead = await openDatabase({ databaseUrl, folder: createFolder(), onError: () => undefined })
  const aheadNow = ahead.clock.now()
  vi.setSystemTime(right - 5 * minuteMs)
  const behind = await openDatabase({ databaseUrl, folder: createFolder(), onError: () => undefined })
  const behindNow = behind.clock.now()

  expect(Math.abs(aheadNow - right)).toBeLessThan(30_000)
  expect(Math.abs(behindNow - right)).toBeLessThan(30_000)
  await Promise.all([ahead.close(), behind.close()])
})

test('a database of a newer version prevents the start and names the migration', async () => {
  const folder = createFolder()
  const options = { databaseUrl: undefined, folder, onError: () => undefined }
  const { db, close } = await openDatabase(options)
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(db)
  await close()

  await expect(openDatabase(options)).rejects.toThrow(
    /^The database was made by a newer version of Sallyport \(migration 9999-later\)$/,
  )
})

test('a deleted row does not remain in the file of the embedded database', () => {
  const path = join(createTestFolder(), 'deleted.sqlite')
  const file = openSqliteFile(path)
  const marker = 'Anna’s phone 7f3a'
  const isInFile = (): boolean => {
    file.exec('pragma wal_checkpoint(truncate)')
    return readFileSync(path).includes(marker)
  }
  file.exec('create table rooms (id integer primary key, room text)')
  for (let id = 1; id <= 20; id += 1) file.prepare('insert into rooms values (?, ?)').run(id, `${marker} ${id}`)
  expect(isInFile()).toBe(true)

  file.exec('delete from rooms where id <= 19')
  file.exec("update rooms set room = 'closed'")

  expect(isInFile()).toBe(false)
  file.close()
})
