import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../support/account.ts'
import { saveDownload } from '../support/downloads.ts'
import { expect, test } from '../support/journey.ts'
import { signIn } from '../support/people.ts'
import { connectAtPortal, direct, holdFiles, letPass, sendFiles, sendFolder } from '../support/portals.ts'
import { expectEncrypted, privateFiles, samplesOf } from '../support/private-files.ts'
import { digestOf, makeRandomFile } from '../support/random-file.ts'
import { readArchive } from '../support/read-archive.ts'
import { recordFilm } from '../support/record-film.ts'

test.use({ launchOptions: direct })

const megabyte = 1024 * 1024
const fileBytes = 24 * megabyte + 7

/** A page of the same origin that runs none of our code. */
async function openBarePage(page: Page, url: string): Promise<Page> {
  const bare = await page.context().newPage()
  await bare.goto(`${url}/theme.js`)
  return bare
}

for (const [name, isFolder] of [
  ['a file', false],
  ['a folder that comes as one archive', true],
] as const) {
  test(`POR-04 ${name} that arrives through a portal lies encrypted until it is whole`, async ({
    context,
    anotherBrowser,
    folder,
    server,
  }) => {
    const other = await anotherBrowser()
    await holdFiles(context)
    await other.addInitScript(() => Reflect.deleteProperty(window, 'showDirectoryPicker'))
    const [sender, receiver] = await connectAtPortal([context, other], server.url)
    await mkdir(join(folder, 'films'))
    const film = await makeRandomFile({ folder: join(folder, 'films'), name: 'film.bin', bytes: fileBytes })
    const content = await readFile(film.path)
    await writeFile(join(folder, 'films', 'note.txt'), 'a few words')
    await letPass(sender, fileBytes / 2)

    if (isFolder) await sendFolder(sender, join(folder, 'films'))
    else await sendFiles(sender, [film.path])
    const saving = saveDownload(receiver, folder, () => receiver.getByRole('button', { name: 'Accept' }).click())
    await expect(receiver.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^4[5-9]$/)
    await expectEncrypted(receiver, samplesOf(content, fileBytes * 0.4), fileBytes)
    await letPass(sender, Number.MAX_SAFE_INTEGER)
    const saved = await saving

    if (isFolder) expect((await readArchive(saved.path)).get('films/film.bin')).toBe(film.sha256)
    else expect(saved.sha256).toBe(film.sha256)
  })
}

test('POR-04 what a closed page leaves of a file that was arriving holds none of its bytes in clear', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  await holdFiles(context)
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const film = await makeRandomFile({ folder, name: 'film.bin', bytes: fileBytes })
  await letPass(sender, fileBytes / 2)
  await sendFiles(sender, [film.path])
  await receiver.getByRole('button', { name: 'Accept' }).click()
  await expect(receiver.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^4[5-9]$/)
  await receiver.close()

  const bare = await other.newPage()
  await bare.goto(`${server.url}/theme.js`)

  await expectEncrypted(bare, samplesOf(await readFile(film.path), fileBytes * 0.4), fileBytes)
})

test('SHR-04 a share page that was closed a while after its download leaves nothing of the file', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  const content = randomBytes(6 * megabyte)
  const id = await account.upload(new File([content], 'plan.bin'), 60)
  const { call, accountKey } = account
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  const bare = await openBarePage(page, server.url)
  await page.clock.install()
  await page.goto(await shareFile(call, { id, encryptedFileKey, accountKey, origin: server.url }))

  const saved = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download' }).click())
  expect(saved.sha256).toBe(digestOf(content))
  expect(await privateFiles(bare)).toHaveLength(1)
  await page.clock.fastForward(6000)
  await page.close()

  await expect.poll(() => privateFiles(bare)).toEqual([])
})

test('FIL-18 a page that is closed while it shows a film leaves nothing of it', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  const film = await recordFilm(page)
  // What follows the film is passed over by players.
  await account.upload(new File([film, new Uint8Array(6_000_000)], 'walk.webm'), 60)
  const bare = await openBarePage(page, server.url)

  await page.getByRole('button', { name: 'Show walk.webm' }).click()
  await expect(page.getByRole('dialog').locator('video')).toBeVisible({ timeout: 30_000 })
  expect(await privateFiles(bare)).toHaveLength(1)
  await page.close()

  await expect.poll(() => privateFiles(bare)).toEqual([])
})
