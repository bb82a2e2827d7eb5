import { chmodSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from './open.ts'

const minuteMs = 60_000
const aFolder = (): string => mkdtempSync(join(tmpdir(), 'sallyport-'))
const open = () => openDatabase({ databaseUrl: undefined, folder: aFolder(), onError: () => undefined })

test('a query beside the transaction that surrounds it fails at once instead of waiting forever', async () => {
  const { db, close } = await open()

  const attempt = db.transaction().execute(async () => {
    await db.selectFrom('users').selectAll().execute()
  })

  await expect(attempt).rejects.toThrow('must use the transaction')
  await db.selectFrom('users').selectAll().execute()
  await close()
})

test('the files of the embedded database are readable by their owner alone, in any folder and after an upgrade', async () => {
  const folder = aFolder()
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

test('T153 F21 nodes whose clocks are five minutes apart go by the time of their PostgreSQL', async () => {
  const databaseUrl = await (await fetch(`${inject('databaseDesk')}/postgres`)).text()
  const right = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: right + 5 * minuteMs })
  onTestFinished(() => void vi.useRealTimers())
  const ahead = await openDatabase({ databaseUrl, folder: aFolder(), onError: () => undefined })
  const aheadSays = ahead.now()
  vi.setSystemTime(right - 5 * minuteMs)
  const behind = await openDatabase({ databaseUrl, folder: aFolder(), onError: () => undefined })
  const behindSays = behind.now()

  expect(Math.abs(aheadSays - right)).toBeLessThan(30_000)
  expect(Math.abs(behindSays - right)).toBeLessThan(30_000)
  await Promise.all([ahead.close(), behind.close()])
})
