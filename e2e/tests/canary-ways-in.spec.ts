import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mergeTests, type Page } from '@playwright/test'
import { decodeRecoveryKey, fromBase64url } from '@sallyport/crypto'
import { newEmail } from '../support/account.ts'
import { makeMagicLink } from '../support/admin.ts'
import { expect, test as mailJourney } from '../support/mail-journey.ts'
import { linkIn, type MailServer, parametersOf } from '../support/mail-server.ts'
import { type Needle, needlesOf, type Secret } from '../support/needles.ts'
import {
  accessTokenOf,
  enterPassword,
  expectFiles,
  fillSignIn,
  keptKeys,
  passwordBox,
  register,
  signOut,
} from '../support/people.ts'
import { eavesdrop, test as recordedJourney } from '../support/recorded-journey.ts'
import { askForLink, choosePassword } from '../support/recovery.ts'
import { addApp, giveBackupCode, giveCode, makeBackupCodes } from '../support/second-factor.ts'
import { makeRecoveryKey, openSettings } from '../support/security.ts'
import { filesUnder, sweep } from '../support/sweep.ts'

const test = mergeTests(mailJourney, recordedJourney)

test('T043 T162 T163 ACC-14 ACC-15 ACC-18 ORG-07 no way in lets a password or a key out into requests, letters, logs or what is stored', async ({
  page,
  context,
  server,
  mail,
  captures,
  wire,
  anotherBrowser,
}) => {
  test.setTimeout(240_000)
  const secrets: Secret[] = []
  const keepPassword = (name: string): string => {
    const typed = newCanaryPassword()
    secrets.push({ name, bytes: Buffer.from(typed) })
    secrets.push({ name: `${name} as used`, bytes: Buffer.from(typed.normalize('NFKC')) })
    return typed
  }
  const keepKeys = async (of: Page, name: string) => {
    const [masterKey = '', accountKey = ''] = await keptKeys(of)
    secrets.push({ name: `master key ${name}`, bytes: fromBase64url(masterKey) })
    secrets.push({ name: `account key ${name}`, bytes: fromBase64url(accountKey) })
  }
  eavesdrop(context, captures)

  const person = { email: newEmail(), password: keepPassword('first password') }
  await register(page, person)
  const confirming = linkIn(await mail.letterTo(person.email), '/auth/confirm')
  await page.goto(confirming)
  await expect(page.getByRole('heading', { name: 'Email verified' })).toBeVisible()
  await page.goto('/')
  await fillSignIn(page, person)
  await page.getByRole('checkbox', { name: /^Remember this device/ }).check()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)
  await keepKeys(page, 'after signing up')
  await openSettings(page)
  const recoveryKey = (await makeRecoveryKey(page, 'Make a recovery key')).join('-')
  secrets.push({ name: 'recovery key', bytes: await decodeRecoveryKey(recoveryKey) })
  secrets.push({ name: 'recovery key on paper', bytes: Buffer.from(recoveryKey) })
  const app = await addApp(page)
  const backupCodes = await makeBackupCodes(page)
  await signOut(page)

  await enterPassword(page, { ...person, password: keepPassword('wrong password') })
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
  await enterPassword(page, person)
  await giveCode(page, app.next())
  await expectFiles(page)
  await signOut(page)

  const recovering = await askForLink(page, person.email, mail)
  await page.goto(recovering)
  await giveBackupCode(page, backupCodes[0] ?? '')
  await page.getByRole('textbox', { name: 'Recovery key' }).fill(recoveryKey.toLowerCase())
  await choosePassword(page, keepPassword('password set with the recovery key'))
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
  await page.waitForURL('**/dashboard')
  await expectFiles(page)
  await keepKeys(page, 'after the recovery')

  const guests = await anotherBrowser({ baseURL: wire.url })
  eavesdrop(guests, captures)
  const guest = await guests.newPage()
  const invited = { email: newEmail(), password: keepPassword('password of the guest') }
  const invitation = await makeMagicLink(server, '--type', 'vip', '--storage-gb', '80')
  await claim(guest, invitation, invited)
  await confirm(guest, invited.email, mail)
  await enterPassword(guest, invited)
  await expectFiles(guest)
  await keepKeys(guest, 'of the guest')
  await signOut(guest)
  const startingAgain = await askForLink(guest, invited.email, mail)
  await guest.goto(startingAgain)
  await guest.getByLabel('I understand that these files are lost').check()
  await choosePassword(guest, keepPassword('password set without a key'))
  await expect(guest.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
  await guest.waitForURL('**/dashboard')
  await expectFiles(guest)
  await keepKeys(guest, 'of the guest who began again')

  secrets.push(await sendStrayKey(server.url, invitation, await accessTokenOf(guest)))
  await server.kill()
  await wire.close()
  writeFileSync(join(captures, 'server.log'), server.log())
  keepLetters(join(captures, 'mail'), mail)

  expect(secrets).toHaveLength(21)
  expect(sweep([server.dataFolder, captures], secrets.flatMap(needlesOf))).toEqual([])

  // These do travel, to the one person they are made for; stored or logged they would open the way in to others.
  const passing: Secret[] = [
    { name: 'secret of the app', bytes: new Uint8Array(app.secret.buffer) },
    { name: 'secret of the app as typed', bytes: Buffer.from(app.secret.base32) },
    ...backupCodes.flatMap((code, index) => [
      { name: `backup code ${index}`, bytes: Buffer.from(code) },
      { name: `backup code ${index} without its dash`, bytes: Buffer.from(code.replace('-', '')) },
    ]),
    ...[confirming, recovering, startingAgain, invitation].map((link) => ({
      name: `token of ${link.split(/[?#]/)[0]}`,
      bytes: Buffer.from(tokenIn(link)),
    })),
  ]
  expect(sweep([server.dataFolder, join(captures, 'server.log')], passing.flatMap(needlesOf))).toEqual([])

  // What is looked through must be the real thing: what does travel, is stored and is sent has to be in it.
  const found = (place: string, secret: Secret) => sweep([place], needlesOf(secret).filter(isRaw)).length > 0
  const address = { name: 'address', bytes: Buffer.from(invited.email) }
  const sent = filesUnder(join(captures, 'wire')).filter((file) => file.endsWith('-sent.bin'))
  for (const place of [server.dataFolder, join(captures, 'wire'), join(captures, 'mail')])
    expect(found(place, address), `the address lies in ${place}`).toBe(true)
  for (const [index, secret] of passing.entries())
    if (index === 1 || secret.name.startsWith('token'))
      expect(found(join(captures, 'wire'), secret), `${secret.name} was recorded`).toBe(true)
  const requests = sent.map((file) => readFileSync(file).toString('latin1')).join('\n')
  const passwords = requests.match(/"password":"[^"]{0,4}/g) ?? []
  expect(passwords.length).toBeGreaterThanOrEqual(8)
  expect(passwords.filter((start) => start !== '"password":"Zk2.')).toEqual([])
})

/** Each has a compatibility form of its own, so that the password as typed and as used are two secrets. */
const newCanaryPassword = (): string => `ﬁne ｇate Ⅷ ${randomBytes(12).toString('base64url')}`

const isRaw = ({ form }: Needle): boolean => form === 'raw'

async function claim(page: Page, link: string, { email, password }: { email: string; password: string }) {
  await page.goto(link)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await passwordBox(page, 'Password').fill(password)
  await page.getByRole('button', { name: 'Create Account & Claim License' }).click()
  await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible()
}

async function confirm(page: Page, email: string, mail: MailServer) {
  await page.goto(linkIn(await mail.letterTo(email), '/auth/confirm'))
  await expect(page.getByRole('heading', { name: 'Email verified' })).toBeVisible()
}

/** What a careless client might do. Goes past the proxy: only what the server makes of it counts. */
async function sendStrayKey(url: string, invitation: string, accessToken: string): Promise<Secret> {
  const key = randomBytes(32).toString('base64url')
  const headers = { authorization: `Bearer ${accessToken}` }
  const paths = ['/api/login', '/api/user-info', '/auth/v1/token', '/auth/confirm', '/set-password', invitation]
  for (const path of paths) await fetch(`${url}${path}?master_key=${key}`, { headers })
  const refused = await fetch(`${url}/api/download/${randomUUID()}?master_key=${key}`, { headers })
  expect(refused.status).toBe(400)
  return { name: 'stray key in a query', bytes: Buffer.from(key) }
}

/** The part of a link that stands for the person. */
function tokenIn(link: string): string {
  const parameters = parametersOf(link)
  return parameters.get('token_hash') ?? parameters.get('token') ?? link.split('/').at(-1) ?? ''
}

/** Every letter twice: as it came over the wire, and with its encodings undone. */
function keepLetters(folder: string, { letters, sources }: MailServer): void {
  mkdirSync(folder)
  for (const [index, source] of sources.entries()) writeFileSync(join(folder, `${index}.eml`), source)
  for (const [index, { subject, text, html }] of letters.entries())
    writeFileSync(join(folder, `${index}.txt`), [subject, text, html].join('\n'))
}
