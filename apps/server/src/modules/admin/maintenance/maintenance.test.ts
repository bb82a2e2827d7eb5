import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { createSealedMessage } from '../../../testing/clients/sealed-message.ts'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { startAdminServer } from '../../../testing/servers/admin-server.ts'
import { storedObjects } from '../../../testing/servers/file-server.ts'

const hour = 3_600_000
const day = 24 * hour

onBothDatabases('ADM-04 a cleanup removes what has expired, and says what it removed', async (stage) => {
  const { server, admin, post, stop } = await startAdminServer(stage)
  const sizes = [2000, 300, 50]
  const ids: string[] = []
  for (const plainBytes of sizes) ids.push(await server.store(admin.accessToken, await sealFile({ plainBytes })))
  expect((await post('../messages', await createSealedMessage({ contextId: admin.userId }))).statusCode).toBe(200)
  const other = ids.pop() ?? ''
  await stage.db.updateTable('files').set({ expires_at: 1 }).where('id', 'in', ids).execute()
  await stage.db.updateTable('messages').set({ expires_at: 1 }).execute()

  const answer = (await post('cleanup', { cleanup_type: 'expired' })).json()

  expect(answer).toEqual({
    success: true,
    message: 'Removed: 2 files (2.25 KB) and 1 other entry.',
    removed: { files: 2, bytes: 2300, entries: 1 },
    complete: true,
  })
  expect(await stage.db.selectFrom('files').select('id').execute()).toEqual([{ id: other }])
  expect(storedObjects(bytesFolder(stage)).filter((name) => ids.some((id) => name.includes(id)))).toEqual([])
  expect((await post('cleanup', { cleanup_type: 'all' })).json().removed).toEqual({ files: 0, bytes: 0, entries: 0 })
  await stop()
})

onBothDatabases('ADM-04 F34 a cleanup removes orphans of more than an hour, unless they are many', async (stage) => {
  const { server, admin, post, stop } = await startAdminServer(stage)
  await server.store(admin.accessToken, await sealFile({ plainBytes: 10 }))
  const orphans = [1, 2].map(() => createOrphan(stage, { bytes: 100, ageMs: 2 * hour }))
  const young = createOrphan(stage, { bytes: 100, ageMs: 0 })

  const answer = (await post('cleanup', { cleanup_type: 'orphaned' })).json()
  expect(answer.removed).toEqual({ files: 2, bytes: 200, entries: 0 })
  expect(orphans.map((path) => existsSync(path))).toEqual([false, false])
  expect(existsSync(young)).toBe(true)

  for (let count = 0; count < 7; count += 1) createOrphan(stage, { bytes: 100, ageMs: 2 * hour })
  const many = (await post('cleanup', { cleanup_type: 'all' })).json()
  expect(many.removed.files).toBe(0)
  expect(many.message).toBe(
    '7 of 9 stored files belong to no entry of the database. None was removed, because the database may be ' +
      'wrong. Restore the database first.',
  )
  expect(await actions(stage)).toEqual(['maintenance.clean-up done', 'maintenance.clean-up done'])
  await stop()
})

onBothDatabases(
  'ADM-04 T152 while the clock may be wrong nothing is cleaned up, until an admin confirms',
  async (stage) => {
    // Another machine has been running until 30 days from now.
    const reading = { boot_id: randomUUID(), time: Date.now() + 30 * day, uptime_ms: hour, confirmations: 0 }
    await stage.db.insertInto('clock_readings').values(reading).execute()
    const { server, admin, ask, post, signInAgain, stop } = await startAdminServer(stage)
    const id = await server.store(admin.accessToken, await sealFile({ plainBytes: 10 }))
    await stage.db.updateTable('files').set({ expires_at: 1 }).where('id', '=', id).execute()

    const { clock_jump } = await ask('stats')
    expect((clock_jump.expected - clock_jump.actual) / day).toBeCloseTo(30, 2)
    const refused = await post('cleanup', { cleanup_type: 'expired' })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'CLOCK_NOT_CONFIRMED'])
    expect(await stage.db.selectFrom('files').select('id').execute()).toHaveLength(1)

    expect((await post('confirm-clock')).json()).toEqual({
      success: true,
      message: 'Confirmed. What has expired is deleted within a minute.',
    })
    // Their access token is from a time that is still to come.
    await signInAgain()
    expect((await ask('stats')).clock_jump).toBeNull()
    expect((await post('cleanup', { cleanup_type: 'expired' })).json().removed.files).toBe(1)
    expect(await actions(stage)).toEqual([
      'maintenance.clean-up refused',
      'clock.confirm done',
      'maintenance.clean-up done',
    ])
    await stop()
  },
)

onBothDatabases('ADM-04 T235 two cleanups at once remove everything once', async (stage) => {
  const { server, admin, post, stop } = await startAdminServer(stage)
  for (let count = 0; count < 6; count += 1) await server.store(admin.accessToken, await sealFile({ plainBytes: 100 }))
  await stage.db.updateTable('files').set({ expires_at: 1 }).execute()

  const answers = await Promise.all([1, 2, 3].map(() => post('cleanup', { cleanup_type: 'all' })))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  const removed = answers.map((answer) => answer.json().removed as { readonly files: number; readonly bytes: number })
  expect(removed.reduce((sum, { files }) => sum + files, 0)).toBe(6)
  expect(removed.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(600)
  expect(storedObjects(bytesFolder(stage))).toEqual([])
  await stop()
})

onBothDatabases('ADM-06 T235 a cleanup of an unknown kind, and one by a former admin, are refused', async (stage) => {
  const { admin, post, stop } = await startAdminServer(stage)
  expect((await post('cleanup', { cleanup_type: 'everything' })).statusCode).toBe(400)
  expect((await post('cleanup')).statusCode).toBe(400)
  await stage.db.deleteFrom('admins').where('user_id', '=', admin.userId).execute()
  await expect.poll(async () => (await post('cleanup', { cleanup_type: 'all' })).statusCode).toBe(403)
  expect((await post('confirm-clock')).statusCode).toBe(403)
  await stop()
})

const bytesFolder = ({ folder }: Stage): string => join(folder, 'volumes', 'main')

/** Creates stored bytes without a row, and returns their folder. */
function createOrphan(stage: Stage, { bytes, ageMs }: { readonly bytes: number; readonly ageMs: number }): string {
  const id = randomUUID()
  const path = join(bytesFolder(stage), id.slice(-2), id)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, '0'), 'x'.repeat(bytes))
  const changedAt = new Date(Date.now() - ageMs)
  utimesSync(path, changedAt, changedAt)
  return path
}

async function actions({ db }: Stage): Promise<string[]> {
  const rows = await db.selectFrom('admin_audit').select(['action', 'outcome']).orderBy('seq').execute()
  return rows.map(({ action, outcome }) => `${action} ${outcome}`)
}
