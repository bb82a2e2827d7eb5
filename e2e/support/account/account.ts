import { randomBytes } from 'node:crypto'
import { type Call, type Connection, createCaller } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { accountKeys } from '@sallyport/contract/account-keys'
import { accounts } from '@sallyport/contract/accounts'
import {
  createAccountKey,
  type DerivationProfile,
  deriveKeyEncryptionKey,
  deriveLoginSecrets,
  deriveMasterKey,
  fromBase64url,
  toBase64url,
  wrapAccountKey,
} from '@sallyport/crypto'
import { createEncryptWorker } from '@sallyport/transfers/engine/upload/encrypt-worker'
import type { FileSource } from '@sallyport/transfers/engine/upload/file-source'
import { startUpload } from '@sallyport/transfers/engine/upload/upload'
import { sendByFetch } from '@sallyport/transfers/node/send-by-fetch'
import { type RegisteredAccount, takePreparedAccount } from './prepared-accounts.ts'

/** An account outside the browser, created and used through the HTTP API only. */
export interface Account {
  readonly email: string
  readonly password: string
  /** Sent to the server in place of the password. */
  readonly credential: string
  readonly userId: string
  readonly accessToken: string
  readonly masterKey: Uint8Array<ArrayBuffer>
  readonly accountKey: Uint8Array<ArrayBuffer>
  /** As the server stores it. */
  readonly wrappedKey: string
  readonly connection: Connection
  readonly call: Call
  /** Uploads a file with the client library and resolves with its id. */
  upload(file: FileSource, expirationMinutes?: number): Promise<string>
}

export const newEmail = (): string => `${randomBytes(5).toString('hex')}@example.org`
export const newPassword = (): string => `gate ${randomBytes(9).toString('base64url')}`

/** Registers an account with its keys, so that a page can sign in to it with its password. */
export async function createAccount(url: string, email?: string, profile?: DerivationProfile): Promise<Account> {
  const prepared = email === undefined && profile === undefined ? takePreparedAccount(url) : undefined
  return logIn(url, prepared ?? (await registerAccount(url, email, profile)))
}

/** Registers an account with its keys at a server. */
export async function registerAccount(
  url: string,
  email = newEmail(),
  profile: DerivationProfile = 2,
): Promise<RegisteredAccount> {
  const password = newPassword()
  const anonymousCall = createCaller({ baseUrl: url, getAccessToken: async () => null, fetch })
  const { salt } = await anonymousCall(accounts.prelogin, { body: { email } })
  const { credential, wrapSecret } = await deriveLoginSecrets({ password, salt: fromBase64url(salt), profile })
  await anonymousCall(accounts.register, { body: { email, password: credential } })
  const { session, user } = await anonymousCall(accounts.login, { body: { email, password: credential } })
  const call = createCaller({ baseUrl: url, getAccessToken: async () => session.access_token, fetch })
  const accountKey = createAccountKey()
  const masterKey = await deriveMasterKey(password, user.id)
  const keyEncryptionKey = await deriveKeyEncryptionKey({ masterKey, wrapSecret, userId: user.id })
  const wrappedKey = await wrapAccountKey({ accountKey, keyEncryptionKey, userId: user.id, keyVersion: 1 })
  await call(accountKeys.createKeys, {
    headers: { 'if-none-match': '*' },
    body: { keyVersion: 1, profile, wrappedKey },
  })
  // Leaves no device behind; the account is signed in to when a test takes it.
  const headers = { authorization: `Bearer ${session.access_token}` }
  await fetch(new URL('/auth/v1/logout?scope=local', url), { method: 'POST', headers })
  return {
    email,
    password,
    credential,
    masterKey: toBase64url(masterKey),
    accountKey: toBase64url(accountKey),
    wrappedKey,
  }
}

/** Opens an auth session of a registered account. */
async function logIn(url: string, registered: RegisteredAccount): Promise<Account> {
  const { email, password, credential, wrappedKey } = registered
  const anonymousCall = createCaller({ baseUrl: url, getAccessToken: async () => null, fetch })
  const { session, user } = await anonymousCall(accounts.login, { body: { email, password: credential } })
  const connection: Connection = { baseUrl: url, getAccessToken: async () => session.access_token, fetch }
  const call = createCaller(connection)
  const [masterKey, accountKey] = [fromBase64url(registered.masterKey), fromBase64url(registered.accountKey)]
  return {
    email,
    password,
    credential,
    userId: user.id,
    accessToken: session.access_token,
    masterKey,
    accountKey,
    wrappedKey,
    connection,
    call,
    async upload(file, expirationMinutes) {
      const send = sendByFetch({ fetch, clock: systemClock })
      const createWorker = (source: Parameters<typeof createEncryptWorker>[0]) => createEncryptWorker(source, { send })
      const result = await startUpload({ file, rootKey: accountKey, expirationMinutes, connection, createWorker })
        .finished
      if (result.status === 'done') return result.fileId
      throw result.status === 'failed' ? result.error : new Error('The upload was cancelled')
    },
  }
}
