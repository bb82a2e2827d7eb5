import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCaller } from '@sallyport/client/call'
import { files } from '@sallyport/contract/files'
import { decodeRecoveryKey, decodeShareFragment, fromBase64url, openEnvelope } from '@sallyport/crypto'
import { newEmail } from '../../support/account/account.ts'
import { runAdmin } from '../../support/account/admin.ts'
import { viewUser } from '../../support/account/admin-area.ts'
import { changePassword, createRecoveryKey } from '../../support/account/security.ts'
import { accessTokenOf, dropZone, fileRow, fillSignIn, signIn, signOut, signUp } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect } from '../../support/journey.ts'
import { needlesOf, type Secret } from '../../support/needles.ts'
import { recordPages, test } from '../../support/recorded-journey.ts'
import { filesUnder, searchSecrets } from '../../support/search-secrets.ts'

const megabyte = 1024 * 1024

test('T035 T039 T043 T162 T234 T163 T166 T167 no password, key, file name or content is found in traffic, storage, logs or console output', async ({
  page,
  context,
  folder,
  server,
  captures,
  recordingProxy,
  anotherBrowser,
}) => {
  // These passwords change under NFKC normalization, so as typed and as used they are two secrets.
  const originalPassword = `ﬁne ｇate Ⅷ ${randomBytes(12).toString('base64url')}`
  const changedPassword = `another ｇate ${randomBytes(12).toString('base64url')}`
  const wrongPassword = `wrong gate ${randomBytes(12).toString('base64url')}`
  const canary = randomBytes(64)
  const email = newEmail()
  const name = `plans of the vault ${randomBytes(9).toString('hex')}.bin`
  const small = await makeRandomFile({ folder, name, bytes: 20_000, embedded: canary })
  const large = await makeRandomFile({ folder, name: `large ${name}`, bytes: 6 * megabyte, embedded: canary })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  recordPages(context, captures)

  await signUp(page, { email, password: originalPassword })
  await dropFiles(page, dropZone(page), [small.path, large.path])
  await expect(fileRow(page, large.name)).toBeVisible({ timeout: 240_000 })
  const row = fileRow(page, name).filter({ hasNotText: 'large' })
  await row.getByRole('button', { name: 'Copy Link' }).click()
  await expect(row.getByRole('button', { name: /Copied!/ })).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  const stored = await page.evaluate(() => ({ ...sessionStorage }))
  const ownDownload = await saveDownload(page, folder, () =>
    fileRow(page, large.name).getByRole('button', { name: 'Download' }).click(),
  )
  const recipientContext = await anotherBrowser()
  recordPages(recipientContext, captures)
  const recipient = await recipientContext.newPage()
  await recipient.goto(link)
  const sharedDownload = await saveDownload(recipient, folder, () =>
    recipient.getByRole('button', { name: 'Download' }).click(),
  )
  await recipient.goto(link.slice(0, -1))
  await expect(recipient.getByText('This share link requires an encryption key.')).toBeVisible()
  const token = await accessTokenOf(page)
  await signOut(page)
  await fillSignIn(page, { email, password: wrongPassword })
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
  await signIn(page, { email, password: originalPassword })
  await changePassword(page, originalPassword, changedPassword)
  await expect(page.getByText('Password changed.')).toBeVisible()
  const recoveryKey = (await createRecoveryKey(page, 'Create a recovery key')).join('-')
  const newMasterKey = await page.evaluate(() => sessionStorage.getItem('masterKey') ?? '')
  expect([ownDownload.sha256, sharedDownload.sha256]).toEqual([large.sha256, small.sha256])
  await runAdmin(server, 'promote', email)
  await viewUser(page, email)
  await expect(page.getByText(/^Encrypted file · [0-9a-f]{6}$/)).toHaveCount(2)

  const misplacedKeys = await sendMisplacedKeys(server.url, await accessTokenOf(page))
  const accountKey = fromBase64url(stored['accountKey'] ?? '')
  const [, fragment = ''] = link.split('#')
  const secrets: Secret[] = [
    { name: 'password as typed', bytes: Buffer.from(originalPassword) },
    { name: 'password as used', bytes: Buffer.from(originalPassword.normalize('NFKC')) },
    { name: 'mistyped password', bytes: Buffer.from(wrongPassword) },
    { name: 'changed password', bytes: Buffer.from(changedPassword) },
    { name: 'changed password as used', bytes: Buffer.from(changedPassword.normalize('NFKC')) },
    { name: 'master key of the changed password', bytes: fromBase64url(newMasterKey) },
    { name: 'recovery key', bytes: await decodeRecoveryKey(recoveryKey) },
    { name: 'printed recovery key', bytes: Buffer.from(recoveryKey) },
    { name: 'master key', bytes: fromBase64url(stored['masterKey'] ?? '') },
    { name: 'account key', bytes: accountKey },
    { name: 'share key', bytes: await decodeShareFragment(fragment) },
    { name: 'fragment of the link', bytes: Buffer.from(fragment) },
    { name: 'bytes of the files', bytes: canary },
    { name: 'name of the file', bytes: Buffer.from(name) },
    ...misplacedKeys,
    ...(await fileKeys(server.url, await accessTokenOf(page), accountKey)),
  ]
  expect(secrets).toHaveLength(19)
  const needles = secrets.flatMap(needlesOf)
  await server.kill()
  await recordingProxy.close()
  writeFileSync(join(captures, 'server.log'), server.log())

  expect(searchSecrets([server.dataFolder, captures], needles)).toEqual([])

  // Checks the search itself: what is sent and stored has to be found.
  const recordings = join(captures, 'wire')
  const sentSecrets = [
    { name: 'address', bytes: Buffer.from(email) },
    { name: 'token', bytes: Buffer.from(String(token)) },
    { name: 'sealed bytes', bytes: await readStoredBytes(server.dataFolder) },
  ]
  for (const secret of sentSecrets) {
    const found = searchSecrets(
      [recordings],
      needlesOf(secret).filter(({ form }) => form === 'raw'),
    )
    expect(
      found.some(({ file }) => file.endsWith('-sent.bin')),
      `${secret.name} was recorded`,
    ).toBe(true)
  }
  const responses = filesUnder(recordings).filter((file) => file.endsWith('-answered.bin'))
  expect(responses.some((file) => readFileSync(file).includes('HTTP/1.1 200'))).toBe(true)
  const requests = filesUnder(recordings)
    .filter((file) => file.endsWith('-sent.bin'))
    .map((file) => readFileSync(file).toString('latin1'))
    .join('\n')
  expect(requests.match(/"password":"[^"]{0,4}/g)?.every((start) => start === '"password":"Zk2.')).toBe(true)
  // The browser's own check for a newer service worker names that worker's script, and nothing else may be named.
  expect(requests).not.toMatch(/^referer: (?!https?:\/\/[\d.:]+\/decrypt-worker-\w+\.js\r?$)/im)
})

/** Sends keys as a careless client might. Bypasses the proxy: only the handling by the server counts. */
async function sendMisplacedKeys(url: string, accessToken: string): Promise<Secret[]> {
  const misplaced = ['in a query', 'in a header of a share', 'in a header of a download'].map((name) => ({
    name: `misplaced key ${name}`,
    bytes: Buffer.from(randomBytes(32).toString('base64url')),
  }))
  const authorization = `Bearer ${accessToken}`
  const call = createCaller({ baseUrl: url, getAccessToken: async () => accessToken, fetch })
  const [file] = (await call(files.list, {})).files
  const [query, share, download] = misplaced.map(({ bytes }) => bytes.toString())
  const responses = await Promise.all([
    fetch(`${url}/api/download/${file?.id}?master_key=${query}`, { headers: { authorization } }),
    fetch(`${url}/api/file/${file?.id}/share`, {
      method: 'POST',
      headers: { authorization, 'x-master-key': share ?? '' },
    }),
    fetch(`${url}/api/download/${file?.id}`, { headers: { authorization, 'x-encryption-key': download ?? '' } }),
  ])
  expect(responses.map(({ status }) => status)).toEqual([400, 400, 400])
  return misplaced
}

async function fileKeys(url: string, accessToken: string, accountKey: Uint8Array<ArrayBuffer>): Promise<Secret[]> {
  const call = createCaller({ baseUrl: url, getAccessToken: async () => accessToken, fetch })
  const { files: listed } = await call(files.list, {})
  return Promise.all(
    listed.map(async ({ encryptedFileKey }, index) => {
      const { fileKey } = await openEnvelope({ envelope: encryptedFileKey, root: accountKey, wrapType: 'account' })
      return { name: `file key ${index}`, bytes: fileKey }
    }),
  )
}

async function readStoredBytes(dataFolder: string): Promise<Buffer> {
  const object = filesUnder(join(dataFolder, 'volumes')).find((file) => file.endsWith('/0'))
  if (object === undefined) throw new Error('No object is stored')
  return readFileSync(object).subarray(0, 64)
}
