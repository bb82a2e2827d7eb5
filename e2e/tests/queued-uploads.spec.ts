import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from '../support/account.ts'
import { saveDownload } from '../support/downloads.ts'
import { dropFiles } from '../support/drop-files.ts'
import { holdChunksFrom } from '../support/held-chunks.ts'
import { expect, test } from '../support/journey.ts'
import { killPages } from '../support/kill-pages.ts'
import { countNotes } from '../support/notes.ts'
import { dropZone, fileRow, rememberedSignIn, signIn, signOut, uploads } from '../support/people.ts'
import { digestOf, makeRandomFile, type RandomFile } from '../support/random-file.ts'
import { hostSession, leaveButton, sessionFile, sessionZone, showFiles } from '../support/sessions.ts'

test.describe.configure({ timeout: 240_000 })

const waiting = (page: Page) => page.getByRole('region', { name: 'Uploads to continue' })
const row = (page: Page, name: string) => waiting(page).getByRole('listitem').filter({ hasText: name })
const press = (page: Page, name: string) => waiting(page).getByRole('button', { name }).click()

const largeBytes = 9_000_000

/** A large file that is held on the line, and what waits behind it. */
async function makeFiles(folder: string, ...names: readonly string[]): Promise<RandomFile[]> {
  const large = await makeRandomFile({ folder, name: 'first.zip', bytes: largeBytes })
  const others = names.map((name) =>
    makeRandomFile({ folder, name, bytes: name.endsWith('.zip') ? largeBytes : 1000 + name.length }),
  )
  return [large, ...(await Promise.all(others))]
}

async function dropAndReload(page: Page, given: readonly Pick<RandomFile, 'path'>[], noted: number): Promise<void> {
  await holdChunksFrom(page, 1)
  const paths = given.map(({ path }) => path)
  await dropFiles(page, dropZone(page), paths)
  await expect.poll(() => countNotes(page)).toBe(noted)
  await page.reload()
  await expect(waiting(page)).toBeVisible({ timeout: 30_000 })
  await page.unroute('**/api/upload-chunk')
}

/** Each is there once, with the bytes it was chosen with. */
async function expectArrived(page: Page, account: Account, folder: string, given: readonly RandomFile[]) {
  const countFiles = async () => (await account.call(files.list, {})).files.length
  await expect.poll(countFiles, { timeout: 90_000 }).toBe(given.length)
  await expect(waiting(page)).toHaveCount(0)
  for (const { name, sha256 } of given) {
    await expect(fileRow(page, name)).toHaveCount(1)
    const download = () => fileRow(page, name).getByRole('button', { name: 'Download' }).click()
    expect((await saveDownload(page, folder, download)).sha256).toBe(sha256)
  }
  await expect.poll(() => countNotes(page)).toBe(0)
}

test('F12 F25 a tab that is killed with one file on its way and three waiting loses none, and none arrives twice', async ({
  page,
  context,
  complaints,
  provoked,
  folder,
  server,
}) => {
  provoked.push(/^the page crashed$/)
  const account = await createAccount(server.url)
  const given = await makeFiles(folder, 'a.txt', 'b.txt', 'last.zip')
  await rememberedSignIn(page, account)
  await holdChunksFrom(page, 1)
  await dropFiles(
    page,
    dropZone(page),
    given.map(({ path }) => path),
  )
  await expect.poll(() => countNotes(page)).toBe(given.length)
  await expect(uploads(page).getByText('9[0-9]%')).toHaveCount(0)

  await killPages(context.browser() as Browser)
  await expect.poll(() => complaints).toContain('the page crashed')
  const next = await context.newPage()
  await next.goto('/')
  await expect(waiting(next).getByText(/^4 uploads to continue, /)).toBeVisible({ timeout: 30_000 })
  await expect(row(next, 'a.txt').getByText(/^Not sent yet, /)).toBeVisible()
  await page.close()
  await press(next, 'Continue all')

  await expectArrived(next, account, folder, given)
})

test('F25 a small file whose answer never came is not offered again at the next visit', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  const file = await makeRandomFile({ folder, name: 'a.txt', bytes: 1234 })
  await signIn(page, account)
  const stored = Promise.withResolvers<void>()
  await page.route('**/api/upload', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    stored.resolve()
  })
  await dropFiles(page, dropZone(page), [file.path])
  await stored.promise
  expect(await countNotes(page)).toBe(1)

  await page.reload()

  await expectArrived(page, account, folder, [file])
})

test('where a browser gives no handles, files are chosen again together, and only those that fit go on', async ({
  page,
  folder,
  server,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'showOpenFilePicker')
    Reflect.deleteProperty(DataTransferItem.prototype, 'getAsFileSystemHandle')
  })
  const account = await createAccount(server.url)
  const given = await makeFiles(folder, 'a.txt', 'b.txt')
  const other = join(folder, 'other.txt')
  await writeFile(other, 'of something else')
  await signIn(page, account)
  await dropAndReload(page, given, 3)
  await expect(row(page, 'a.txt').getByText('Choose a.txt again to send it')).toBeVisible()
  const choose = async (paths: string[]) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, 'Choose files')])
    await chooser.setFiles(paths)
  }

  await choose([other])
  await expect(waiting(page).getByRole('alert')).toContainText('None of these files fits')
  expect((await account.call(files.list, {})).files).toEqual([])
  await choose([other, ...given.map(({ path }) => path)])

  await expectArrived(page, account, folder, given)
})

test('a dropped folder goes on by one press, and its files keep their folders', async ({ page, folder, server }) => {
  const account = await createAccount(server.url)
  await mkdir(join(folder, 'site', 'plans'), { recursive: true })
  const deep = await makeRandomFile({ folder: join(folder, 'site', 'plans'), name: 'north.dwg', bytes: 5000 })
  const [first] = await makeFiles(join(folder, 'site'))
  await signIn(page, account)
  await dropAndReload(page, [{ path: join(folder, 'site') }], 2)

  await press(page, 'Continue all')

  await expectArrived(page, account, folder, [deep, ...(first ? [first] : [])])
  await expect(fileRow(page, 'north.dwg').getByText('site/plans', { exact: true })).toBeVisible()
})

test('what was pasted is still there after a reload, and is nowhere once it was sent', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  const text = 'a note that lies on no disk'
  await signIn(page, account)
  await page.route('**/api/upload', () => undefined)
  await page.evaluate((pasted) => {
    const clipboard = new DataTransfer()
    clipboard.items.add(new File([pasted], 'note.txt', { type: 'text/plain' }))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true }))
  }, text)
  await expect(uploads(page)).toBeVisible()
  await expect.poll(() => heldTexts(page)).toHaveLength(1)
  expect((await heldTexts(page))[0]).not.toContain('no disk')

  await page.reload()
  await expect(waiting(page)).toBeVisible({ timeout: 30_000 })
  await page.unroute('**/api/upload')
  await press(page, 'Continue note.txt')

  const bytes = new TextEncoder().encode(text)
  await expectArrived(page, account, folder, [
    { name: 'note.txt', path: '', bytes: bytes.length, sha256: digestOf(bytes) },
  ])
  expect(await heldTexts(page)).toEqual([])
})

test('a file that was changed, was deleted or may not be read is told, with a way on', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  const [first, changed, gone, refused] = await makeFiles(folder, 'changed.txt', 'gone.txt', 'refused.txt')
  if (!first || !changed || !gone || !refused) throw new Error('A file is missing')
  await signIn(page, account)
  await dropAndReload(page, [first, changed, gone, refused], 4)
  await appendFile(changed.path, ' and more')
  await rm(gone.path)
  await page.evaluate(() => {
    const refuses = (handle: FileSystemHandle) => handle.name === 'refused.txt'
    const answer = async function (this: FileSystemHandle) {
      return refuses(this) ? 'denied' : 'granted'
    }
    Object.assign(FileSystemHandle.prototype, { queryPermission: answer, requestPermission: answer })
  })

  await press(page, 'Continue all')

  await expect(row(page, 'changed.txt').getByRole('alert')).toContainText('has changed since')
  await expect(row(page, 'gone.txt').getByRole('alert')).toContainText('was moved or deleted')
  await expect(row(page, 'refused.txt').getByRole('alert')).toContainText('may not read this file')
  await expect(fileRow(page, 'first.zip')).toBeVisible({ timeout: 60_000 })
  await page.evaluate(() => Reflect.deleteProperty(window, 'showOpenFilePicker'))
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, 'Choose file changed.txt')])
  await chooser.setFiles(changed.path)
  await expect(fileRow(page, 'changed.txt')).toBeVisible({ timeout: 30_000 })
  await press(page, 'Discard all')
  await expect(waiting(page)).toHaveCount(0)
  await expect.poll(() => countNotes(page)).toBe(0)
  expect((await account.call(files.list, {})).files).toHaveLength(2)
})

test('T037 whoever signs out leaves no note of what waited', async ({ page, folder, server }) => {
  const given = await makeFiles(folder, 'a.txt')
  await signIn(page, await createAccount(server.url))
  await dropAndReload(page, given, 2)

  await signOut(page)

  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
})

test('SES-04 uploads into a session go on after a reload, and are forgotten when it is left', async ({
  page,
  folder,
  server,
}) => {
  const given = await makeFiles(folder, 'a.txt', 'b.txt')
  await hostSession(page, server.url)
  await showFiles(page)
  const breakOff = async () => {
    await page.route('**/upload-chunk', () => undefined)
    await dropFiles(
      page,
      sessionZone(page),
      given.map(({ path }) => path),
    )
    await expect.poll(() => countNotes(page)).toBe(3)
    await page.reload()
    await showFiles(page)
    await expect(waiting(page).getByText(/^3 uploads to continue, /)).toBeVisible({ timeout: 30_000 })
    await page.unroute('**/upload-chunk')
  }
  await breakOff()

  await press(page, 'Continue all')

  for (const { name } of given) await expect(sessionFile(page, name)).toHaveCount(1, { timeout: 60_000 })
  await expect.poll(() => countNotes(page)).toBe(0)
  await breakOff()
  await leaveButton(page).click()
  await expect.poll(() => countNotes(page)).toBe(0)
})

/** What lies sealed in the browser, read as text. */
const heldTexts = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const open = indexedDB.open('sallyport-uploads')
    await new Promise((resolve) => open.addEventListener('success', resolve))
    const all = open.result.transaction('held').objectStore('held').getAll()
    await new Promise((resolve) => all.addEventListener('success', resolve))
    open.result.close()
    return all.result.map((bytes: Uint8Array) => new TextDecoder().decode(bytes))
  })

test('a browser that has no room for notes says so, and sends all the same', async ({ page, folder, server }) => {
  await page.addInitScript(() => {
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...given: Parameters<typeof put>) {
      if (this.name === 'uploads') throw new DOMException('There is no room', 'QuotaExceededError')
      return put.apply(this, given)
    }
  })
  const account = await createAccount(server.url)
  const given = await makeFiles(folder, 'a.txt', 'b.txt')
  await signIn(page, account)

  await dropFiles(
    page,
    dropZone(page),
    given.map(({ path }) => path),
  )

  await expect(page.getByText(/^This browser has no room to remember these uploads/)).toBeVisible()
  await expectArrived(page, account, folder, given)
})
