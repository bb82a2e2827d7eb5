import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from './open.ts'

const open = () =>
  openDatabase({ databaseUrl: undefined, folder: mkdtempSync(join(tmpdir(), 'sallyport-')), onError: () => undefined })

test('a query beside the transaction that surrounds it fails at once instead of waiting forever', async () => {
  const { db, close } = await open()

  const attempt = db.transaction().execute(async () => {
    await db.selectFrom('users').selectAll().execute()
  })

  await expect(attempt).rejects.toThrow('must use the transaction')
  await db.selectFrom('users').selectAll().execute()
  await close()
})
