import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../test-results/prepared-accounts', import.meta.url))
const dataFolder = `${folder}/data`
const listFile = `${folder}/accounts.json`

/** A registered account and its keys, encoded for a file. */
export interface RegisteredAccount {
  readonly email: string
  readonly password: string
  readonly credential: string
  readonly masterKey: string
  readonly accountKey: string
  readonly wrappedKey: string
}

/** Accounts that exist already in the data folder of a server of this process and that no test uses yet, by its URL. */
const unusedAccounts = new Map<string, RegisteredAccount[]>()

/** Saves the data folder of a server with these accounts. Servers of later tests start with a copy of it. */
export function savePreparedAccounts(from: string, accounts: readonly RegisteredAccount[]): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(from, dataFolder, { recursive: true })
  writeFileSync(listFile, JSON.stringify(accounts))
}

/** Copies the saved data folder if there is one. Returns the accounts in it. */
export function copyPreparedAccounts(to: string): readonly RegisteredAccount[] {
  if (!existsSync(listFile)) return []
  cpSync(dataFolder, to, { recursive: true })
  return JSON.parse(readFileSync(listFile, 'utf8'))
}

export const offerPreparedAccounts = (url: string, accounts: readonly RegisteredAccount[]): void =>
  void unusedAccounts.set(url, [...accounts])

/** An account of this server that no test uses yet, if one is left. */
export const takePreparedAccount = (url: string): RegisteredAccount | undefined => unusedAccounts.get(url)?.pop()
