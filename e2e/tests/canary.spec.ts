import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCaller } from '@sallyport/client/call'
import { files } from '@sallyport/contract/files'
import { decodeRecoveryKey, decodeShareFragment, fromBase64url, openEnvelope } from '@sallyport/crypto'
import { newEmail } from '../support/account.ts'
import { saveDownload } from '../support/downloads.ts'
import { dropFiles } from '../support/drop-files.ts'
import { expect, test as journey } from '../support/journey.ts'
import { needlesOf, type Secret } from '../support/needles.ts'
import { accessTokenOf, dropZone, fileRow, fillSignIn, signIn, signOut, signUp } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'
import { eavesdrop, test } from '../support/recorded-journey.ts'
import { changePassword, makeRecoveryKey } from '../support/security.ts'
import { filesUnder, sweep } from '../support/sweep.ts'

const megabyte = 1024 * 1024

test('T035 T039 T043 T162 T163 T166 T167 nothing of a password, a key, a name or a file is found in what travelled, was stored, logged or said', async ({
  page,
  context,
  folder,
  server,
  captures,
  wire,
  anotherBrowser,
}) => {
  test.setTimeout(180_000)
  // Each of these has a compatibility form of its own, so that the password as typed and as used are two secrets.
  const typed = `ﬁne ｇate Ⅷ ${randomBytes(12).toString('base64url')}`
  const changed = `another ｇate ${randomBytes(12).toString('base64url')}`
  const mistyped = `wrong gate ${randomBytes(12).toString('base64url')}`
  const canary = randomBytes(64)
  const email = newEmail()
  const name = `plans of the vault ${randomBytes(9).toString('hex')}.bin`
  const small = await makeRandomFile({ folder, name, bytes: 20_000, hiding: canary })
  const large = await makeRandomFile({ folder, name: `large ${name}`, bytes: 6 * megabyte, hiding: canary })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  eavesdrop(context, captures)

  await signUp(page, { email, password: typed })
  await dropFiles(page, dropZone(page), [small.path, large.path])
  await expect(fileRow(page, large.name)).toBeVisible({ timeout: 60_000 })
  const row = fileRow(page, name).filter({ hasNotText: 'large' })
  await row.getByRole('button', { name: 'Copy Link' }).click()
  await expect(row.getByRole('button', { name: /Copied!/ })).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  const kept = await page.evaluate(() => ({ ...sessionStorage }))
  const own = await saveDownload(page, folder, () =>
    fileRow(page, large.name).getByRole('button', { name: 'Download' }).click(),
  )
  const strangers = await anotherBrowser()
  eavesdrop(strangers, captures)
  const stranger = await strangers.newPage()
  await stranger.goto(link)
  const given = await saveDownload(stranger, folder, () => stranger.getByRole('button', { name: 'Download' }).click())
  await stranger.goto(link.slice(0, -1))
  await expect(stranger.getByText('This share link requires an encryption key.')).toBeVisible()
  const token = await accessTokenOf(page)
  await signOut(page)
  await fillSignIn(page, { email, password: mistyped })
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
  await signIn(page, { email, password: typed })
  await changePassword(page, typed, changed)
  await expect(page.getByText('Password changed.')).toBeVisible()
  const recoveryKey = (await makeRecoveryKey(page, 'Make a recovery key')).join('-')
  const renewed = await page.evaluate(() => sessionStorage.getItem('masterKey') ?? '')
  expect([own.sha256, given.sha256]).toEqual([large.sha256, small.sha256])

  const strayKeys = await sendStrayKeys(server.url, await accessTokenOf(page))
  const accountKey = fromBase64url(kept['accountKey'] ?? '')
  const [, fragment = ''] = link.split('#')
  const secrets: Secret[] = [
    { name: 'password as typed', bytes: Buffer.from(typed) },
    { name: 'password as used', bytes: Buffer.from(typed.normalize('NFKC')) },
    { name: 'mistyped password', bytes: Buffer.from(mistyped) },
    { name: 'changed password', bytes: Buffer.from(changed) },
    { name: 'changed password as used', bytes: Buffer.from(changed.normalize('NFKC')) },
    { name: 'master key of the changed password', bytes: fromBase64url(renewed) },
    { name: 'recovery key', bytes: await decodeRecoveryKey(recoveryKey) },
    { name: 'recovery key on paper', bytes: Buffer.from(recoveryKey) },
    { name: 'master key', bytes: fromBase64url(kept['masterKey'] ?? '') },
    { name: 'account key', bytes: accountKey },
    { name: 'share key', bytes: await decodeShareFragment(fragment) },
    { name: 'fragment of the link', bytes: Buffer.from(fragment) },
    { name: 'bytes of the files', bytes: canary },
    { name: 'name of the file', bytes: Buffer.from(name) },
    ...strayKeys,
    ...(await fileKeys(server.url, await accessTokenOf(page), accountKey)),
  ]
  expect(secrets).toHaveLength(19)
  const needles = secrets.flatMap(needlesOf)
  await server.kill()
  await wire.close()
  writeFileSync(join(captures, 'server.log'), server.log())

  expect(sweep([server.dataFolder, captures], needles)).toEqual([])

  // What is looked through must be the real thing: what does travel and is stored has to be in it.
  const recordings = join(captures, 'wire')
  const travelled = [
    { name: 'address', bytes: Buffer.from(email) },
    { name: 'token', bytes: Buffer.from(String(token)) },
    { name: 'sealed bytes', bytes: await someStoredBytes(server.dataFolder) },
  ]
  for (const secret of travelled) {
    const found = sweep(
      [recordings],
      needlesOf(secret).filter(({ form }) => form === 'raw'),
    )
    expect(
      found.some(({ file }) => file.endsWith('-sent.bin')),
      `${secret.name} was recorded`,
    ).toBe(true)
  }
  const answered = filesUnder(recordings).filter((file) => file.endsWith('-answered.bin'))
  expect(answered.some((file) => readFileSync(file).includes('HTTP/1.1 200'))).toBe(true)
  const sent = filesUnder(recordings)
    .filter((file) => file.endsWith('-sent.bin'))
    .map((file) => readFileSync(file).toString('latin1'))
    .join('\n')
  expect(sent.match(/"password":"[^"]{0,4}/g)?.every((start) => start === '"password":"Zk2.')).toBe(true)
  expect(sent).not.toMatch(/^referer:/im)
})

journey(
  'T162 the search finds a planted secret in each of its forms, at any place, across the pieces a file is read in',
  ({ folder }) => {
    const secrets: Secret[] = [
      { name: 'key', bytes: randomBytes(32) },
      { name: 'text', bytes: Buffer.from('ﬁne gate & key/+?') },
    ]
    for (const needle of secrets.flatMap(needlesOf)) {
      const place = join(folder, 'haystack')
      writeFileSync(place, Buffer.concat([Buffer.alloc(8 * megabyte - 5, 'x'), needle.bytes, randomBytes(100)]))

      const found = sweep([place], secrets.flatMap(needlesOf))

      expect(found).toContainEqual({ file: place, secret: needle.secret, form: needle.form })
    }
    writeFileSync(join(folder, 'haystack'), randomBytes(9 * megabyte))
    expect(sweep([join(folder, 'haystack')], secrets.flatMap(needlesOf))).toEqual([])
  },
)

journey('T162 the search knows a secret in base64 wherever in a longer text it begins', () => {
  const secret = { name: 'key', bytes: randomBytes(33) }

  for (const before of [0, 1, 2, 3, 4, 5]) {
    const text = Buffer.concat([randomBytes(before), secret.bytes, randomBytes(7)])
    const hits = (encoding: 'base64' | 'base64url') =>
      needlesOf(secret).filter(({ bytes }) => Buffer.from(text.toString(encoding)).includes(bytes))

    expect(hits('base64').length, `base64 after ${before}`).toBeGreaterThan(0)
    expect(hits('base64url').length, `base64url after ${before}`).toBeGreaterThan(0)
  }
})

/** What a careless client might do. Goes past the proxy: only what the server makes of it counts. */
async function sendStrayKeys(url: string, accessToken: string): Promise<Secret[]> {
  const stray = ['in a query', 'in a header of a share', 'in a header of a download'].map((name) => ({
    name: `stray key ${name}`,
    bytes: Buffer.from(randomBytes(32).toString('base64url')),
  }))
  const authorization = `Bearer ${accessToken}`
  const call = createCaller({ baseUrl: url, accessToken: async () => accessToken, fetch })
  const [file] = (await call(files.list, {})).files
  const [query, share, download] = stray.map(({ bytes }) => bytes.toString())
  const answers = await Promise.all([
    fetch(`${url}/api/download/${file?.id}?master_key=${query}`, { headers: { authorization } }),
    fetch(`${url}/api/file/${file?.id}/share`, {
      method: 'POST',
      headers: { authorization, 'x-master-key': share ?? '' },
    }),
    fetch(`${url}/api/download/${file?.id}`, { headers: { authorization, 'x-encryption-key': download ?? '' } }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
  return stray
}

async function fileKeys(url: string, accessToken: string, accountKey: Uint8Array<ArrayBuffer>): Promise<Secret[]> {
  const call = createCaller({ baseUrl: url, accessToken: async () => accessToken, fetch })
  const { files: listed } = await call(files.list, {})
  return Promise.all(
    listed.map(async ({ encryptedFileKey }, index) => {
      const { fileKey } = await openEnvelope({ envelope: encryptedFileKey, root: accountKey, wrapType: 'account' })
      return { name: `file key ${index}`, bytes: fileKey }
    }),
  )
}

async function someStoredBytes(dataFolder: string): Promise<Buffer> {
  const object = filesUnder(join(dataFolder, 'volumes')).find((file) => file.endsWith('/0'))
  if (object === undefined) throw new Error('Nothing is stored')
  return readFileSync(object).subarray(0, 64)
}
