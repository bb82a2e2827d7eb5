import { randomBytes } from 'node:crypto'
import { type Call, type Connection, createCaller } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import type { FileSource } from '@sallyport/client/upload/file-source'
import { createSealLane } from '@sallyport/client/upload/seal-lane'
import { sendByFetch } from '@sallyport/client/upload/send-by-fetch'
import { startUpload } from '@sallyport/client/upload/upload'
import { accountKeys } from '@sallyport/contract/account-keys'
import { accounts } from '@sallyport/contract/accounts'
import {
  createAccountKey,
  type DerivationProfile,
  deriveKeyEncryptionKey,
  deriveLoginSecrets,
  deriveMasterKey,
  fromBase64url,
  wrapAccountKey,
} from '@sallyport/crypto'

/** Somebody with an account, beside the page: made and used through the interface alone. */
export interface Account {
  readonly email: string
  readonly password: string
  readonly userId: string
  readonly accessToken: string
  readonly accountKey: Uint8Array<ArrayBuffer>
  /** As the server stores it. */
  readonly wrappedKey: string
  readonly connection: Connection
  readonly call: Call
  /** Uploads a file as any client does, and gives its id. */
  upload(file: FileSource, expirationMinutes?: number): Promise<string>
}

export const newEmail = (): string => `${randomBytes(5).toString('hex')}@example.org`
export const newPassword = (): string => `gate ${randomBytes(9).toString('base64url')}`

/** Registers an account with its keys, so that a page can sign in to it with its password. */
export async function createAccount(url: string, email = newEmail(), profile: DerivationProfile = 2): Promise<Account> {
  const password = newPassword()
  const stranger = createCaller({ baseUrl: url, accessToken: async () => null, fetch })
  const { salt } = await stranger(accounts.prelogin, { body: { email } })
  const { credential, wrapSecret } = await deriveLoginSecrets({ password, salt: fromBase64url(salt), profile })
  await stranger(accounts.register, { body: { email, password: credential } })
  const { session, user } = await stranger(accounts.login, { body: { email, password: credential } })

  const connection: Connection = { baseUrl: url, accessToken: async () => session.access_token, fetch }
  const call = createCaller(connection)
  const accountKey = createAccountKey()
  const masterKey = await deriveMasterKey(password, user.id)
  const keyEncryptionKey = await deriveKeyEncryptionKey({ masterKey, wrapSecret, userId: user.id })
  const wrappedKey = await wrapAccountKey({ accountKey, keyEncryptionKey, userId: user.id, keyVersion: 1 })
  await call(accountKeys.createKeys, {
    headers: { 'if-none-match': '*' },
    body: { keyVersion: 1, profile, wrappedKey },
  })

  return {
    email,
    password,
    userId: user.id,
    accessToken: session.access_token,
    accountKey,
    wrappedKey,
    connection,
    call,
    async upload(file, expirationMinutes) {
      const send = sendByFetch({ fetch, clock: systemClock })
      const openLane = (source: Parameters<typeof createSealLane>[0]) => createSealLane(source, { send })
      const end = await startUpload({ file, accountKey, expirationMinutes, connection, openLane }).finished
      if (end.status === 'done') return end.fileId
      throw end.status === 'failed' ? end.error : new Error('The upload was cancelled')
    },
  }
}
