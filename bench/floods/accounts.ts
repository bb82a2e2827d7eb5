import { randomBytes } from 'node:crypto'
import { createCaller } from '@sallyport/client/call'
import { accounts } from '@sallyport/contract/accounts'
import { deriveLoginSecrets, fromBase64url } from '@sallyport/crypto'
import { type Account, createAccount } from '../../e2e/support/account/account.ts'

export interface FloodAccount extends Account {
  /** The secret that the server receives instead of the password. */
  readonly credential: string
}

/** Registers an account and derives its credential once, so that a sign-in costs the client nothing. */
export async function createFloodAccount(url: string): Promise<FloodAccount> {
  const account = await createAccount(url)
  const call = createCaller({ baseUrl: url, getAccessToken: async () => null, fetch })
  const { salt } = await call(accounts.prelogin, { body: { email: account.email } })
  const { credential } = await deriveLoginSecrets({
    password: account.password,
    salt: fromBase64url(salt),
    profile: 2,
  })
  return { ...account, credential }
}

/** A credential of the right form that belongs to no account. */
export const wrongCredential = (): string => `Zk2.${randomBytes(32).toString('base64url')}`
