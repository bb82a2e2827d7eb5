import type { Page } from '@playwright/test'
import { createCaller } from '@sallyport/client/call'
import { accounts } from '@sallyport/contract/accounts'
import { toBase64url } from '@sallyport/crypto'
import { type Account, createAccount } from './account.ts'
import { expectFiles } from './users.ts'

/** How long a sign-in lasts without 'Remember this device'. */
const lifetimeMs = 3 * 60 * 60 * 1000
/** A small response of the origin: its storage can be written before the application starts. */
const smallPath = '/robots.txt'

/** Creates an account and opens its files as after a sign-in, without the forms and the key derivations of the page. */
export async function openNewAccount(page: Page, url = '/'): Promise<Account> {
  const account = await createAccount(await openOrigin(page, url))
  await openStored(page, account, url)
  return account
}

/**
 * Opens the files of an account that `createAccount` returned, with an auth session of its own. The password must not have
 * been changed. Journeys about signing in use the form.
 */
export async function openFiles(page: Page, account: Account, url = '/'): Promise<void> {
  await openOrigin(page, url)
  await openStored(page, account, url)
}

async function openOrigin(page: Page, url: string): Promise<string> {
  await page.goto(url.startsWith('/') ? smallPath : new URL(smallPath, url).href)
  return new URL(page.url()).origin
}

async function openStored(page: Page, account: Account, url: string): Promise<void> {
  const { email, credential, userId, masterKey, accountKey } = account
  const call = createCaller({ baseUrl: new URL(page.url()).origin, getAccessToken: async () => null, fetch })
  const { session } = await call(accounts.login, { body: { email, password: credential } })
  const keys = { keysOf: userId, masterKey: toBase64url(masterKey), accountKey: toBase64url(accountKey) }
  await page.evaluate(
    ({ session, keys, userId, lifetimeMs, now }) => {
      const policy = {
        rememberDevice: false,
        createdAtMs: now,
        expiresAtMs: now + lifetimeMs,
        lastActivityMs: now,
      }
      localStorage.setItem('sallyport-auth', JSON.stringify(session))
      localStorage.setItem('sessionPolicy', JSON.stringify(policy))
      localStorage.setItem('keyVersions', JSON.stringify({ [userId]: 1 }))
      for (const [name, value] of Object.entries(keys)) sessionStorage.setItem(name, value)
    },
    { session, keys, userId, lifetimeMs, now: issuedAt(session.access_token) },
  )
  await page.goto(url)
  await expectFiles(page)
}

/** The time of the server when it issued a token. */
const issuedAt = (token: string): number =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).iat * 1000
