import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerAccount } from './support/account/account.ts'
import { savePreparedAccounts } from './support/account/prepared-accounts.ts'
import { startServer } from './support/server/server.ts'

/** As many as most tests need; a test that needs more registers them itself. */
const count = 4

/** Registers accounts once for all tests, because deriving their keys takes long. */
export default async function prepareAccounts(): Promise<void> {
  const server = await startServer({ dataFolder: mkdtempSync(join(tmpdir(), 'sallyport-e2e-')) })
  const accounts = []
  for (let index = 0; index < count; index += 1) accounts.push(await registerAccount(server.url))
  server.requestStop()
  await server.ended
  savePreparedAccounts(server.dataFolder, accounts)
  rmSync(server.dataFolder, { recursive: true })
}
