import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Download, Page } from '@playwright/test'
import { watchDirectWays } from '../support/direct-ways.ts'
import { saveDownload } from '../support/downloads.ts'
import { expectAccessible } from '../support/expect-accessible.ts'
import { expect, test } from '../support/journey.ts'
import {
  acceptFile,
  atPortal,
  connect,
  connectAtPortal,
  direct,
  holdFiles,
  letPass,
  sendFiles,
  sendFolder,
} from '../support/portals.ts'
import { makeRandomFile, type RandomFile, sha256Of } from '../support/random-file.ts'
import { readArchive } from '../support/read-archive.ts'
import { startServer } from '../support/server.ts'

test.use({ launchOptions: direct })

const megabyte = 1_000_000
const fileBytes = 40 * megabyte
const half = 20 * megabyte
/** What was kept but not yet written down comes again, and the line has words of its own. */
const mostAgain = 34 * megabyte

/** Settles once no more arrives than was let through, and what has is written down. */
async function stopHalfWay(sender: Page, receiver: Page): Promise<void> {
  await receiver.getByRole('button', { name: 'Accept' }).click()
  await expect(receiver.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^4[5-9]$/)
  await expect(sender.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^[45]\d$/)
  await expect.poll(() => countKept(receiver).then(({ transfers }) => transfers)).toBeGreaterThan(10)
}

async function sendHalf(sender: Page, receiver: Page, folder: string): Promise<RandomFile> {
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes: fileBytes })
  await letPass(sender, half)
  await sendFiles(sender, [file.path])
  await stopHalfWay(sender, receiver)
  return file
}

interface Kept {
  /** Entries of the database about transfers, and about ways back to other devices. */
  readonly transfers: number
  readonly places: number
  /** Files that had begun to arrive. */
  readonly files: number
}

const countKept = (page: Page): Promise<Kept> =>
  page.evaluate(async () => {
    const request = indexedDB.open('sallyport-portals')
    const database = await new Promise<IDBDatabase>((resolve) => {
      request.onsuccess = () => resolve(request.result)
    })
    const countIn = (name: string) =>
      new Promise<number>((resolve) => {
        const count = database.transaction(name).objectStore(name).count()
        count.onsuccess = () => resolve(count.result)
      })
    const places = await countIn('places')
    let transfers = 0
    for (const name of database.objectStoreNames) if (name !== 'places') transfers += await countIn(name)
    database.close()
    const arriving: string[] = []
    for await (const name of (await navigator.storage.getDirectory()).keys())
      if (name.startsWith('arriving-')) arriving.push(name)
    return { transfers, places, files: arriving.length }
  })

/** How many files of transfers are written down as saved. */
const countSaved = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const request = indexedDB.open('sallyport-portals')
    const database = await new Promise<IDBDatabase>((resolve) => {
      request.onsuccess = () => resolve(request.result)
    })
    const all = database.transaction('arrivals').objectStore('arrivals').getAll()
    const arrivals = await new Promise<{ finished: readonly number[] }[]>((resolve) => {
      all.onsuccess = () => resolve(all.result)
    })
    database.close()
    return arrivals.reduce((sum, { finished }) => sum + finished.length, 0)
  })

test('a transfer goes on by a new code after the server has forgotten the portal, without the other person being asked again', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  const ways = await watchDirectWays([context, other])
  await holdFiles(context)
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const file = await sendHalf(sender, receiver, folder)

  await Promise.all([sender.close(), receiver.close()])
  await server.kill()
  const again = await startServer({ dataFolder: server.dataFolder, environment: { PORT: new URL(server.url).port } })
  const before = ways.passedBytes()
  const taking = await atPortal(other, again.url)
  await taking.getByRole('button', { name: 'Resume film.bin' }).click()
  await expect(
    taking.getByRole('alert').getByText('This portal is over. Connect both devices with a new code'),
  ).toBeVisible()
  await expect(
    taking.getByText(/^Stopped at \d+%\. Connect both devices with a code, and it can go on\.$/),
  ).toBeVisible()
  await expectAccessible(taking, 'a transfer whose portal is over')
  const giving = await atPortal(context, again.url)
  await connect(taking, giving)
  await expect(taking.getByText(/^Stopped at \d+%\. It goes on when the other device resumes it\.$/)).toBeVisible()
  const choose = async () => {
    const button = giving.getByRole('button', { name: 'Choose file film.bin' })
    const [chooser] = await Promise.all([giving.waitForEvent('filechooser'), button.click()])
    await chooser.setFiles(file.path)
  }
  const saved = await saveDownload(taking, folder, choose)

  expect(saved.sha256).toBe(file.sha256)
  expect(ways.passedBytes() - before).toBeLessThan(mostAgain)
  await expect.poll(() => countKept(giving)).toMatchObject({ transfers: 0, files: 0 })
  ways.close()
  await again.kill()
})

test('what was broken off is discarded on either device and nothing of it is left there', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  await holdFiles(context)
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  await sendHalf(sender, receiver, folder)

  await Promise.all([sender.close(), receiver.close()])
  for (const browser of [context, other]) {
    const page = await atPortal(browser, server.url)
    const card = page.getByRole('region', { name: 'Broken off' })
    await expect(card.getByTitle('film.bin')).toBeVisible()
    expect((await countKept(page)).files).toBe(browser === other ? 1 : 0)
    await card.getByRole('button', { name: 'Discard film.bin' }).press('Enter')
    await expect(card.getByTitle('film.bin')).toHaveCount(0)
    // The way back to the other device is a thing of its own.
    await expect(card.getByText(/^The portal with .+ broke off$/)).toBeVisible()
    await expect.poll(() => countKept(page)).toEqual({ transfers: 0, places: 1, files: 0 })
    await card.getByRole('button', { name: 'Discard', exact: true }).press('Enter')
    await expect(card).toHaveCount(0)
    await expect.poll(() => countKept(page)).toEqual({ transfers: 0, places: 0, files: 0 })
    await page.reload()
    await expect(page.getByRole('button', { name: 'Create Portal' })).toBeVisible()
    await expect(card).toHaveCount(0)
  }
})

test('files that go on once a folder has come in between are saved by themselves, and not into its archive', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  await holdFiles(context)
  // Nobody is there to choose a folder; without such a dialog one archive comes.
  await other.addInitScript(() => Reflect.deleteProperty(window, 'showDirectoryPicker'))
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const film = await makeRandomFile({ folder, name: 'film.bin', bytes: 9 * megabyte })
  const note = await makeRandomFile({ folder, name: 'note.bin', bytes: 1000 })
  await letPass(sender, 0)
  await sendFiles(sender, [film.path, note.path])
  await receiver.getByRole('button', { name: 'Accept' }).click()
  for (const page of [sender, receiver])
    await expect.poll(() => countKept(page).then(({ transfers }) => transfers)).toBeGreaterThan(1)
  await Promise.all([sender.close(), receiver.close()])

  const [giving, taking] = await connectAtPortal([context, other], server.url)
  await mkdir(join(folder, 'plans'))
  const plan = await makeRandomFile({ folder: join(folder, 'plans'), name: 'plan.bin', bytes: 1000 })
  await sendFolder(giving, join(folder, 'plans'))
  const archive = await acceptFile(taking, folder)
  const saving = Promise.all(
    [film, note].map(({ name }) =>
      taking.waitForEvent('download', (download) => download.suggestedFilename() === name),
    ),
  )
  const button = giving.getByRole('button', { name: 'Choose file film.bin' })
  const [chooser] = await Promise.all([giving.waitForEvent('filechooser'), button.click()])
  await chooser.setFiles([film.path, note.path])
  const saved = await Promise.all((await saving).map((download) => download.path().then(sha256Of)))

  expect(await readArchive(archive.path)).toEqual(new Map([['plans/plan.bin', plan.sha256]]))
  expect(saved).toEqual([film.sha256, note.sha256])
})

test('of several small files those that were saved are not sent again once both pages were closed', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  await holdFiles(context)
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const files: RandomFile[] = []
  for (const name of ['one.bin', 'two.bin', 'three.bin'])
    files.push(await makeRandomFile({ folder, name, bytes: megabyte }))
  const paths = files.map(({ path }) => path)
  await letPass(sender, 1.5 * megabyte)
  await sendFiles(sender, paths)
  const first = await acceptFile(receiver, folder)
  await expect.poll(() => countSaved(receiver)).toBe(1)
  await Promise.all([sender.close(), receiver.close()])

  const [giving, taking] = await connectAtPortal([context, other], server.url)
  const downloads: Download[] = []
  taking.on('download', (download) => downloads.push(download))
  const button = giving.getByRole('button', { name: 'Choose file one.bin' })
  const [chooser] = await Promise.all([giving.waitForEvent('filechooser'), button.click()])
  await chooser.setFiles(paths)
  await expect.poll(() => countKept(taking).then(({ transfers }) => transfers)).toBe(0)
  await expect.poll(() => downloads.length).toBeGreaterThan(1)
  const later = await Promise.all(downloads.map((download) => download.path().then(sha256Of)))

  expect([first.sha256, ...later]).toEqual(files.map(({ sha256 }) => sha256))
})

test('a file that the browser finds again by itself goes on at one press, and one that has changed since does not', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  // No browser without a screen shows its picker; what this one gives is a handle of the browser all the same.
  await context.addInitScript(() => {
    const pick = async () => [await (await navigator.storage.getDirectory()).getFileHandle('film.bin')]
    Reflect.set(window, 'showOpenFilePicker', pick)
  })
  const other = await anotherBrowser()
  const ways = await watchDirectWays([context, other])
  await holdFiles(context)
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const digest = await sender.evaluate(writeFilm, fileBytes)
  await letPass(sender, half)
  await sender.getByRole('button', { name: 'Send File' }).click()
  await stopHalfWay(sender, receiver)

  await sender.close()
  const before = ways.passedBytes()
  const again = await atPortal(context, server.url)
  const resume = again.getByRole('button', { name: 'Resume film.bin' })
  const saved = await saveDownload(receiver, folder, () => resume.click())

  expect(saved.sha256).toBe(digest)
  expect(ways.passedBytes() - before).toBeLessThan(mostAgain)

  await letPass(again, half)
  await expect(again.getByRole('button', { name: 'Send File' })).toBeEnabled()
  await again.getByRole('button', { name: 'Send File' }).click()
  await stopHalfWay(again, receiver)
  await again.close()
  const late = await atPortal(context, server.url)
  await late.evaluate(writeFilm, fileBytes)
  await late.getByRole('button', { name: 'Resume film.bin' }).click()
  await expect(late.getByRole('alert').getByText('This is not the same file, or it has changed since.')).toBeVisible()
  await expect(late.getByRole('button', { name: 'Choose file film.bin' })).toBeVisible()
  ways.close()
})

/** Runs in the page: writes a file of random bytes to where the browser keeps its own, and gives its digest. */
async function writeFilm(bytes: number): Promise<string> {
  const film = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(film.subarray(at, Math.min(bytes, at + 65_536)))
  const handle = await (await navigator.storage.getDirectory()).getFileHandle('film.bin', { create: true })
  const stream = await handle.createWritable()
  await stream.write(film)
  await stream.close()
  return new Uint8Array(await crypto.subtle.digest('SHA-256', film)).toHex()
}
