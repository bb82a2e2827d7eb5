import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile, type RandomFile, sha256Of } from '../../support/files/random-file.ts'
import { readArchive } from '../../support/files/read-archive.ts'
import { expect, test } from '../../support/journey.ts'
import { relayDirectPaths } from '../../support/network/relay-direct-paths.ts'
import {
  acceptFile,
  allowBytes,
  connect,
  connectAtPortal,
  directConnectionOptions,
  holdFileData,
  openPortalPage,
  sendFiles,
  sendFolder,
} from '../../support/portals/portals.ts'
import { countPersisted } from '../../support/portals/resumed-transfers.ts'
import { startServer } from '../../support/server/server.ts'

const megabyte = 1_000_000

test.use({ launchOptions: directConnectionOptions })
const fileBytes = 40 * megabyte
const halfBytes = 20 * megabyte
/** Stored but not yet journaled blocks are sent again, and signalling adds a few bytes. */
const maxResentBytes = 34 * megabyte

/** Half of the file takes 20 s where two cores are shared with other work. */
const onSlowMachines = { timeout: 240_000 }

/** Resolves once the allowed bytes have arrived and are journaled. */
async function acceptHalf(sender: Page, receiver: Page): Promise<void> {
  await receiver.getByRole('button', { name: 'Accept' }).click()
  await expect(receiver.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^4[5-9]$/, onSlowMachines)
  await expect(sender.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^[45]\d$/, onSlowMachines)
  await expect.poll(() => countPersisted(receiver).then(({ transfers }) => transfers)).toBeGreaterThan(10)
}

async function sendHalf(sender: Page, receiver: Page, folder: string): Promise<RandomFile> {
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes: fileBytes })
  await allowBytes(sender, halfBytes)
  await sendFiles(sender, [file.path])
  await acceptHalf(sender, receiver)
  return file
}

test('after the server has lost the portal a transfer resumes with a new code and no second offer', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  const relays = await relayDirectPaths([context, other])
  await holdFileData(context)
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const file = await sendHalf(sender, receiver, folder)

  await Promise.all([sender.close(), receiver.close()])
  await server.kill()
  const database = new DatabaseSync(join(server.dataFolder, 'sallyport.db'))
  database.exec('delete from portal_rooms')
  database.close()
  const restarted = await startServer({
    dataFolder: server.dataFolder,
    environment: { PORT: new URL(server.url).port },
  })
  const bytesBefore = relays.forwardedBytes()
  const newReceiver = await openPortalPage(other, restarted.url)
  await newReceiver.getByRole('button', { name: 'Resume film.bin' }).click()
  await expect(
    newReceiver.getByRole('alert').getByText('This portal has ended. Connect both devices with a new code'),
  ).toBeVisible()
  await expect(newReceiver.getByText(/^Paused at \d+%\. Connect both devices with a code to resume\.$/)).toBeVisible()
  await expectAccessible(newReceiver, 'a transfer whose portal has ended')
  const newSender = await openPortalPage(context, restarted.url)
  await connect(newReceiver, newSender)
  await expect(
    newReceiver.getByText(/^Paused at \d+%\. It continues when the other device resumes it\.$/),
  ).toBeVisible()
  const chooseFile = async () => {
    const button = newSender.getByRole('button', { name: 'Choose file film.bin' })
    const [chooser] = await Promise.all([newSender.waitForEvent('filechooser'), button.click()])
    await chooser.setFiles(file.path)
  }
  const saved = await saveDownload(newReceiver, folder, chooseFile)

  expect(saved.sha256).toBe(file.sha256)
  expect(relays.forwardedBytes() - bytesBefore).toBeLessThan(maxResentBytes)
  await expect.poll(() => countPersisted(newSender)).toMatchObject({ transfers: 0, files: 0 })
  relays.close()
  await restarted.kill()
})

test('an interrupted transfer is discarded on either device and leaves nothing there', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  await holdFileData(context)
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  await sendHalf(sender, receiver, folder)

  await Promise.all([sender.close(), receiver.close()])
  for (const browser of [context, other]) {
    const page = await openPortalPage(browser, server.url)
    const card = page.getByRole('region', { name: 'Interrupted' })
    await expect(card.getByTitle('film.bin')).toBeVisible()
    expect((await countPersisted(page)).files).toBe(browser === other ? 1 : 0)
    await card.getByRole('button', { name: 'Discard film.bin' }).press('Enter')
    await expect(card.getByTitle('film.bin')).toHaveCount(0)
    // The room for re-pairing is discarded separately.
    await expect(card.getByText(/^The portal with .+ was interrupted$/)).toBeVisible()
    await expect.poll(() => countPersisted(page)).toEqual({ transfers: 0, rooms: 1, files: 0 })
    await card.getByRole('button', { name: 'Discard', exact: true }).press('Enter')
    await expect(card).toHaveCount(0)
    await expect.poll(() => countPersisted(page)).toEqual({ transfers: 0, rooms: 0, files: 0 })
    await page.reload()
    await expect(page.getByRole('button', { name: 'Create Portal' })).toBeVisible()
    await expect(card).toHaveCount(0)
  }
})

test('files that resume after a folder transfer are saved separately and not into its archive', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  await holdFileData(context)
  // No user can answer the folder picker; without it the folder arrives as one archive.
  await other.addInitScript(() => Reflect.deleteProperty(window, 'showDirectoryPicker'))
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const film = await makeRandomFile({ folder, name: 'film.bin', bytes: 9 * megabyte })
  const note = await makeRandomFile({ folder, name: 'note.bin', bytes: 1000 })
  await allowBytes(sender, 0)
  await sendFiles(sender, [film.path, note.path])
  await receiver.getByRole('button', { name: 'Accept' }).click()
  for (const page of [sender, receiver])
    await expect.poll(() => countPersisted(page).then(({ transfers }) => transfers)).toBeGreaterThan(1)
  await Promise.all([sender.close(), receiver.close()])

  const [newSender, newReceiver] = await connectAtPortal([context, other], server.url)
  await mkdir(join(folder, 'plans'))
  const plan = await makeRandomFile({ folder: join(folder, 'plans'), name: 'plan.bin', bytes: 1000 })
  await sendFolder(newSender, join(folder, 'plans'))
  const archive = await acceptFile(newReceiver, folder)
  const downloadsSaved = Promise.all(
    [film, note].map(({ name }) =>
      newReceiver.waitForEvent('download', (download) => download.suggestedFilename() === name),
    ),
  )
  const button = newSender.getByRole('button', { name: 'Choose file film.bin' })
  const [chooser] = await Promise.all([newSender.waitForEvent('filechooser'), button.click()])
  await chooser.setFiles([film.path, note.path])
  const saved = await Promise.all((await downloadsSaved).map((download) => download.path().then(sha256Of)))

  expect(await readArchive(archive.path)).toEqual(new Map([['plans/plan.bin', plan.sha256]]))
  expect(saved).toEqual([film.sha256, note.sha256])
})

test('a file with a stored handle resumes with one click, and one that has changed since does not', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  // A headless browser cannot show its picker; the fake one returns a real file handle.
  await context.addInitScript(() => {
    const pick = async () => [await (await navigator.storage.getDirectory()).getFileHandle('film.bin')]
    Reflect.set(window, 'showOpenFilePicker', pick)
  })
  const other = await anotherBrowser()
  const relays = await relayDirectPaths([context, other])
  await holdFileData(context)
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const digest = await sender.evaluate(writeOpfsFile, fileBytes)
  await allowBytes(sender, halfBytes)
  await sender.getByRole('button', { name: 'Send File' }).click()
  await acceptHalf(sender, receiver)

  await sender.close()
  const bytesBefore = relays.forwardedBytes()
  const reopened = await openPortalPage(context, server.url)
  const resume = reopened.getByRole('button', { name: 'Resume film.bin' })
  const saved = await saveDownload(receiver, folder, () => resume.click())

  expect(saved.sha256).toBe(digest)
  expect(relays.forwardedBytes() - bytesBefore).toBeLessThan(maxResentBytes)

  await allowBytes(reopened, halfBytes)
  await expect(reopened.getByRole('button', { name: 'Send File' })).toBeEnabled()
  await reopened.getByRole('button', { name: 'Send File' }).click()
  await acceptHalf(reopened, receiver)
  await reopened.close()
  const lastPage = await openPortalPage(context, server.url)
  await lastPage.evaluate(writeOpfsFile, fileBytes)
  await lastPage.getByRole('button', { name: 'Resume film.bin' }).click()
  await expect(lastPage.getByRole('alert').getByText('This isn’t the same file, or it has changed.')).toBeVisible()
  await expect(lastPage.getByRole('button', { name: 'Choose file film.bin' })).toBeVisible()
  relays.close()
})

/** Runs in the page: writes a file of random bytes to OPFS and resolves with its digest. */
async function writeOpfsFile(bytes: number): Promise<string> {
  const film = new Uint8Array(bytes)
  for (let offset = 0; offset < bytes; offset += 65_536)
    crypto.getRandomValues(film.subarray(offset, Math.min(bytes, offset + 65_536)))
  const handle = await (await navigator.storage.getDirectory()).getFileHandle('film.bin', { create: true })
  const stream = await handle.createWritable()
  await stream.write(film)
  await stream.close()
  return new Uint8Array(await crypto.subtle.digest('SHA-256', film)).toHex()
}
