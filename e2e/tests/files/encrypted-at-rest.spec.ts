import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { expectEncrypted, listOpfs, samplesOf } from '../../support/browser/opfs.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile, sha256OfBytes } from '../../support/files/random-file.ts'
import { readArchive } from '../../support/files/read-archive.ts'
import { openScriptlessPage } from '../../support/files/scriptless-page.ts'
import { withoutServiceWorkers } from '../../support/files/service-worker.ts'
import { expect, test } from '../../support/journey.ts'
import {
  allowBytes,
  connectAtPortal,
  directConnectionOptions,
  holdFileData,
  sendFiles,
  sendFolder,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

const megabyte = 1024 * 1024
const fileBytes = 24 * megabyte + 7

for (const [name, isFolder] of [
  ['a file', false],
  ['a folder as one archive', true],
] as const) {
  test(`POR-04 ${name} received through a portal is encrypted on disk until it is complete`, async ({
    context,
    anotherBrowser,
    folder,
    server,
  }) => {
    const other = await anotherBrowser()
    await holdFileData(context)
    await other.addInitScript(() => Reflect.deleteProperty(window, 'showDirectoryPicker'))
    const [sender, receiver] = await connectAtPortal([context, other], server.url)
    await mkdir(join(folder, 'films'))
    const videoFile = await makeRandomFile({ folder: join(folder, 'films'), name: 'film.bin', bytes: fileBytes })
    const content = await readFile(videoFile.path)
    await writeFile(join(folder, 'films', 'note.txt'), 'a few words')
    await allowBytes(sender, fileBytes / 2)

    if (isFolder) await sendFolder(sender, join(folder, 'films'))
    else await sendFiles(sender, [videoFile.path])
    const downloaded = saveDownload(receiver, folder, () => receiver.getByRole('button', { name: 'Accept' }).click())
    await expect(receiver.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^4[5-9]$/)
    await expectEncrypted(receiver, samplesOf(content, fileBytes * 0.4), fileBytes)
    await allowBytes(sender, Number.MAX_SAFE_INTEGER)
    const saved = await downloaded

    if (isFolder) expect((await readArchive(saved.path)).get('films/film.bin')).toBe(videoFile.sha256)
    else expect(saved.sha256).toBe(videoFile.sha256)
  })
}

test('POR-04 a page closed during a transfer leaves no plaintext of the received file', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  await holdFileData(context)
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const film = await makeRandomFile({ folder, name: 'film.bin', bytes: fileBytes })
  await allowBytes(sender, fileBytes / 2)
  await sendFiles(sender, [film.path])
  await receiver.getByRole('button', { name: 'Accept' }).click()
  await expect(receiver.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^4[5-9]$/)
  await receiver.close()

  const scriptlessPage = await other.newPage()
  await scriptlessPage.goto(`${server.url}/theme.js`)

  await expectEncrypted(scriptlessPage, samplesOf(await readFile(film.path), fileBytes * 0.4), fileBytes)
})

test('SHR-04 without a service worker a share page closed some time after its download leaves nothing of the file', async ({
  page,
  folder,
  server,
}) => {
  await withoutServiceWorkers(page)
  const account = await createAccount(server.url)
  const content = randomBytes(6 * megabyte)
  const id = await account.upload(new File([content], 'plan.bin'), 60)
  const { call, accountKey } = account
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  const scriptlessPage = await openScriptlessPage(page, server.url)
  await page.clock.install()
  await page.goto(await shareFile(call, { id, encryptedFileKey, accountKey, origin: server.url }))

  const saved = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download' }).click())
  expect(saved.sha256).toBe(sha256OfBytes(content))
  expect(await listOpfs(scriptlessPage)).toHaveLength(1)
  await page.clock.fastForward(6000)
  await page.close()

  await expect.poll(() => listOpfs(scriptlessPage)).toEqual([])
})
