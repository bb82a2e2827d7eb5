import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { createAccessTokens } from '../../apps/server/src/auth/tokens/access-tokens.ts'
import { openSigningKeys } from '../../apps/server/src/auth/tokens/signing-keys.ts'
import { createAccount } from '../support/account.ts'
import { startServer } from '../support/server.ts'
import { storedFiles } from '../support/stored-files.ts'

const hourMs = 3_600_000
const filesEach = 4
/** How long after a deletion was asked for the server is killed: before, within and after it. */
const killAfterMs = [0, 6, 60]
/** As a server without an address of its own calls itself before it knows its port. */
const issuer = 'http://localhost:0/auth/v1'

test('F09 a server that is killed while somebody is deleted has deleted all of them or nothing, and keeps no bytes of theirs', async () => {
  test.setTimeout(180_000)
  const first = await startServer()
  const { dataFolder } = first
  const kept = await createAccount(first.url)
  const keptFile = await kept.upload(new File(['kept'], 'kept.txt'), 1440)
  await first.kill()

  for (const waitMs of killAfterMs) {
    const server = await startServer({ dataFolder })
    const account = await createAccount(server.url)
    for (let count = 0; count < filesEach; count += 1) await account.upload(new File(['x'], `${count}.txt`), 1440)
    const remove = await removerOf(dataFolder, account.userId)
    const removing = remove(server.url).catch(() => 0)
    await pause(waitMs)
    await server.kill()
    const status = await removing
    const left = rowsOf(dataFolder, account.userId)

    expect([0, filesEach], `killed after ${waitMs} ms: ${JSON.stringify(left)}`).toContain(left.files)
    expect(left).toEqual({ users: left.files / filesEach, files: left.files, uploads: left.files, use: left.files })
    // What was answered is done.
    if (status === 200) expect(left.users).toBe(0)
    const again = await startServer({ dataFolder, clockAheadMs: 2 * hourMs, longWaitsShorter: 500 })
    expect([200, 404]).toContain(await remove(again.url))
    expect(rowsOf(dataFolder, account.userId)).toEqual({ users: 0, files: 0, uploads: 0, use: 0 })
    await expect.poll(() => storedFiles(dataFolder), { timeout: 30_000 }).toEqual([keptFile])
    await again.kill()
  }
  rmSync(dataFolder, { recursive: true, force: true })
})

/** Deletes a person as an operator's tool does. */
async function removerOf(dataFolder: string, userId: string) {
  const keys = await openSigningKeys(join(dataFolder, 'secrets'))
  const tokens = createAccessTokens({ keys, issuer, now: Date.now, foreignServiceKeys: false })
  const headers = { authorization: `Bearer ${await tokens.issueServiceKey(36_000)}` }
  return async (url: string): Promise<number> =>
    (await fetch(`${url}/auth/v1/admin/users/${userId}`, { method: 'DELETE', headers })).status
}

/** What the database holds of somebody; bytes used are as many as files here. */
function rowsOf(dataFolder: string, userId: string) {
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
