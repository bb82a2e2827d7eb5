import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { createAccessTokens } from '../../../apps/server/src/modules/auth/tokens/access-tokens.ts'
import { openSigningKeys } from '../../../apps/server/src/modules/auth/tokens/signing-keys.ts'
import { createAccount } from '../../support/account/account.ts'
import { storedFiles } from '../../support/files/stored-files.ts'
import { startServer } from '../../support/server/server.ts'

const hourMs = 3_600_000
const filesEach = 4
/** Delays between the deletion request and the kill: before, during and after the deletion. */
const killAfterMs = [0, 6, 60]
/** The issuer of a server without `PUBLIC_URL` before it knows its port. */
const issuer = 'http://localhost:0/auth/v1'

test('F09 a server killed during a user deletion has deleted everything or nothing and keeps no orphaned bytes', async () => {
  const first = await startServer()
  const { dataFolder } = first
  const otherAccount = await createAccount(first.url)
  const otherFileId = await otherAccount.upload(new File(['kept'], 'kept.txt'), 1440)
  await first.kill()

  for (const delayMs of killAfterMs) {
    const server = await startServer({ dataFolder })
    const account = await createAccount(server.url)
    for (let count = 0; count < filesEach; count += 1) await account.upload(new File(['x'], `${count}.txt`), 1440)
    const deleteUser = await createUserDeletion(dataFolder, account.userId)
    const deletion = deleteUser(server.url).catch(() => 0)
    await pause(delayMs)
    await server.kill()
    const status = await deletion
    const remaining = countRows(dataFolder, account.userId)

    expect([0, filesEach], `killed after ${delayMs} ms: ${JSON.stringify(remaining)}`).toContain(remaining.files)
    expect(remaining).toEqual({
      users: remaining.files / filesEach,
      files: remaining.files,
      uploads: remaining.files,
      use: remaining.files,
    })
    // An acknowledged deletion is complete.
    if (status === 200) expect(remaining.users).toBe(0)
    const restarted = await startServer({ dataFolder, clockAheadMs: 2 * hourMs, longWaitDivisor: 500 })
    expect([200, 404]).toContain(await deleteUser(restarted.url))
    expect(countRows(dataFolder, account.userId)).toEqual({ users: 0, files: 0, uploads: 0, use: 0 })
    await expect.poll(() => storedFiles(dataFolder)).toEqual([otherFileId])
    await restarted.kill()
  }
  rmSync(dataFolder, { recursive: true, force: true })
})

/** Deletes a user through the admin API. */
async function createUserDeletion(dataFolder: string, userId: string) {
  const keys = await openSigningKeys(join(dataFolder, 'secrets'))
  const tokens = createAccessTokens({ keys, issuer, now: Date.now, allowAnyServiceKeyIssuer: false })
  const headers = { authorization: `Bearer ${await tokens.issueServiceKey(36_000)}` }
  return async (url: string): Promise<number> =>
    (await fetch(`${url}/auth/v1/admin/users/${userId}`, { method: 'DELETE', headers })).status
}

/** Counts the rows of a user; every file here is one byte. */
function countRows(dataFolder: string, userId: string) {
  const database = new DatabaseSync(join(dataFolder, 'sallyport.db'))
  const count = (sql: string) => Number(database.prepare(sql).get(userId)?.['n'] ?? 0)
  const rows = {
    users: count('select count(*) as n from users where id = ?'),
    files: count('select count(*) as n from files where owner_id = ?'),
    uploads: count('select count(*) as n from uploads where owner_id = ?'),
    use: count('select used_bytes as n from storage_use where user_id = ?'),
  }
  database.close()
  return rows
}
