import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { dropZone, fileRow, signInRemembered, uploads } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { killPages } from '../../support/browser/kill-pages.ts'
import { holdChunksFrom } from '../../support/files/hold-chunks.ts'
import { countPersistedUploads } from '../../support/files/persisted-uploads.ts'
import { clickResumable, createFiles, expectUploaded, interruptByReload } from '../../support/files/queued-uploads.ts'
import { sha256OfBytes } from '../../support/files/random-file.ts'
import { resumableUploads } from '../../support/files/resumable-uploads.ts'
import { expect, test } from '../../support/journey.ts'
import { endSession, hostSession, sessionDropZone, sessionFile, showFiles } from '../../support/sessions.ts'

const resumableRow = (page: Page, name: string) =>
  resumableUploads(page).getByRole('listitem').filter({ hasText: name })

test('F12 F25 a tab killed with 1 file uploading and 3 queued loses none and uploads none twice', async ({
  page,
  context,
  pageErrors,
  expectedErrors,
  folder,
  server,
}) => {
  expectedErrors.push(/^the page crashed$/)
  const account = await createAccount(server.url)
  const testFiles = await createFiles(folder, 'a.txt', 'b.txt', 'last.zip')
  await signInRemembered(page, account)
  await holdChunksFrom(page, 1)
  await dropFiles(
    page,
    dropZone(page),
    testFiles.map(({ path }) => path),
  )
  await expect.poll(() => countPersistedUploads(page)).toBe(testFiles.length)
  await expect(uploads(page).getByText('9[0-9]%')).toHaveCount(0)

  await killPages(context.browser() as Browser)
  await expect.poll(() => pageErrors).toContain('the page crashed')
  const next = await context.newPage()
  await next.goto('/')
  await expect(resumableUploads(next).getByText(/^4 uploads to resume, /)).toBeVisible()
  await expect(resumableRow(next, 'a.txt').getByText(/^Not sent yet, /)).toBeVisible()
  await page.close()
  await clickResumable(next, 'Resume all')

  await expectUploaded(next, account, folder, testFiles)
})

test('without file handles, files are chosen again together, and only matching ones resume', async ({
  page,
  folder,
  server,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'showOpenFilePicker')
    Reflect.deleteProperty(DataTransferItem.prototype, 'getAsFileSystemHandle')
  })
  const account = await createAccount(server.url)
  const testFiles = await createFiles(folder, 'a.txt', 'b.txt')
  const other = join(folder, 'other.txt')
  await writeFile(other, 'of something else')
  await openFiles(page, account)
  await interruptByReload(page, testFiles, 3)
  await expect(resumableRow(page, 'a.txt').getByText('Choose a.txt again to send it')).toBeVisible()
  const chooseFiles = async (paths: string[]) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), clickResumable(page, 'Choose files')])
    await chooser.setFiles(paths)
  }

  await chooseFiles([other])
  await expect(resumableUploads(page).getByRole('alert')).toContainText('None of these files matches')
  expect((await account.call(files.list, {})).files).toEqual([])
  await chooseFiles([other, ...testFiles.map(({ path }) => path)])

  await expectUploaded(page, account, folder, testFiles)
})

test('pasted content survives a reload and is removed once it was sent', async ({ page, folder, server }) => {
  const account = await createAccount(server.url)
  const text = 'a note that lies on no disk'
  await openFiles(page, account)
  await page.route('**/api/upload', () => undefined)
  await page.evaluate((pasted) => {
    const clipboard = new DataTransfer()
    clipboard.items.add(new File([pasted], 'note.txt', { type: 'text/plain' }))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true }))
  }, text)
  await expect(uploads(page)).toBeVisible()
  await expect.poll(() => readHeldTexts(page)).toHaveLength(1)
  expect((await readHeldTexts(page))[0]).not.toContain('no disk')

  await page.reload()
  await expect(resumableUploads(page)).toBeVisible()
  await page.unroute('**/api/upload')
  await clickResumable(page, 'Resume note.txt')

  const bytes = new TextEncoder().encode(text)
  await expectUploaded(page, account, folder, [
    { name: 'note.txt', path: '', bytes: bytes.length, sha256: sha256OfBytes(bytes) },
  ])
  expect(await readHeldTexts(page)).toEqual([])
})

test('a changed, deleted or unreadable file shows an error with a next step', async ({ page, folder, server }) => {
  const account = await createAccount(server.url)
  const [first, changedFile, deletedFile, unreadable] = await createFiles(
    folder,
    'changed.txt',
    'gone.txt',
    'refused.txt',
  )
  if (!first || !changedFile || !deletedFile || !unreadable) throw new Error('A test file is missing')
  await openFiles(page, account)
  await interruptByReload(page, [first, changedFile, deletedFile, unreadable], 4)
  await appendFile(changedFile.path, ' and more')
  await rm(deletedFile.path)
  await page.evaluate(() => {
    const isUnreadable = (handle: FileSystemHandle) => handle.name === 'refused.txt'
    const permission = async function (this: FileSystemHandle) {
      return isUnreadable(this) ? 'denied' : 'granted'
    }
    Object.assign(FileSystemHandle.prototype, { queryPermission: permission, requestPermission: permission })
  })

  await clickResumable(page, 'Resume all')

  await expect(resumableRow(page, 'changed.txt').getByRole('alert')).toContainText('has changed')
  await expect(resumableRow(page, 'gone.txt').getByRole('alert')).toContainText('was moved or deleted')
  await expect(resumableRow(page, 'refused.txt').getByRole('alert')).toContainText('can’t read this file')
  await expect(fileRow(page, 'first.zip')).toBeVisible({ timeout: 240_000 })
  await page.evaluate(() => Reflect.deleteProperty(window, 'showOpenFilePicker'))
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    clickResumable(page, 'Choose file changed.txt'),
  ])
  await chooser.setFiles(changedFile.path)
  await expect(fileRow(page, 'changed.txt')).toBeVisible()
  await clickResumable(page, 'Discard all')
  await expect(resumableUploads(page)).toHaveCount(0)
  await expect.poll(() => countPersistedUploads(page)).toBe(0)
  expect((await account.call(files.list, {})).files).toHaveLength(2)
})

test('SES-04 uploads into a session resume after a reload and are discarded when it is left', async ({
  page,
  folder,
  server,
}) => {
  const testFiles = await createFiles(folder, 'a.txt', 'b.txt')
  await hostSession(page, server.url)
  await showFiles(page)
  const interruptUploads = async () => {
    await page.route('**/upload-chunk', () => undefined)
    await dropFiles(
      page,
      sessionDropZone(page),
      testFiles.map(({ path }) => path),
    )
    await expect.poll(() => countPersistedUploads(page)).toBe(3)
    await page.reload()
    await showFiles(page)
    await expect(resumableUploads(page).getByText(/^3 uploads to resume, /)).toBeVisible()
    await page.unroute('**/upload-chunk')
  }
  await interruptUploads()

  await clickResumable(page, 'Resume all')

  for (const { name } of testFiles) await expect(sessionFile(page, name)).toHaveCount(1, { timeout: 240_000 })
  await expect.poll(() => countPersistedUploads(page)).toBe(0)
  await interruptUploads()
  await endSession(page)
  await expect.poll(() => countPersistedUploads(page)).toBe(0)
})

/** The encrypted contents in the browser, decoded as text. */
const readHeldTexts = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const open = indexedDB.open('sallyport-uploads')
    await new Promise((resolve) => open.addEventListener('success', resolve))
    const all = open.result.transaction('held').objectStore('held').getAll()
    await new Promise((resolve) => all.addEventListener('success', resolve))
    open.result.close()
    return all.result.map((bytes: Uint8Array) => new TextDecoder().decode(bytes))
  })
