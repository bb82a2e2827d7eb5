import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished } from 'vitest'
import { sealFile } from '../clients/sealed-file.ts'
import { startWholeServer } from './whole-server.ts'

/** Creates the data folder of a server on which one user has 100,001 files. It is deleted when the test has finished. */
export async function createLargeFolder(): Promise<{ readonly path: string; readonly accessToken: string }> {
  const server = await startWholeServer()
  onTestFinished(() => rmSync(server.folder, { recursive: true, force: true }))
  const { accessToken, userId } = await server.createMember()
  await server.store(accessToken, await sealFile({ plainBytes: 10 }))
  await server.closeKeepingData()
  const database = new DatabaseSync(join(server.folder, 'sallyport.db'))
  multiply(database, userId)
  database.close()
  return { path: server.folder, accessToken }
}

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
