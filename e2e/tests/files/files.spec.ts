import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from '../../support/account/account.ts'
import { openFiles, openNewAccount } from '../../support/account/open-files.ts'
import { dropZone, expectFiles, fileRow, storedKeys, uploads } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { expectShownFor, pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { holdChunksFrom } from '../../support/files/hold-chunks.ts'
import { makeRandomFile, pathsOf } from '../../support/files/random-file.ts'
import { reserveStorage } from '../../support/files/sealed-upload.ts'
import { storedObjects } from '../../support/files/stored-files.ts'
import { expect, test } from '../../support/journey.ts'

const megabyte = 1024 * 1024
const minuteMs = 60_000

test('FIL-08 an upload cancelled midway shows a message for 3 seconds, leaves nothing behind and frees its quota', async ({
  page,
  folder,
  server,
}) => {
  const largeFile = await makeRandomFile({ folder, name: 'half.bin', bytes: 16 * megabyte })
  const next = await makeRandomFile({ folder, name: 'next.bin', bytes: 2000 })
  await page.clock.install()
  await openNewAccount(page)
  await holdChunksFrom(page, 1)
  await dropFiles(page, dropZone(page), [largeFile.path])
  await expect(uploads(page).getByText('50%', { exact: true })).toBeVisible({ timeout: 240_000 })
  await expect.poll(() => storedObjects(server.dataFolder).length).toBeGreaterThan(0)

  await pauseClock(page)
  await uploads(page).getByRole('button', { name: 'Cancel Upload' }).click()

  const notice = page.getByText('Upload cancelled by user')
  await stepUntilVisible(notice)
  await expectShownFor(notice, 3000)
  await page.clock.resume()
  await dropFiles(page, dropZone(page), [next.path])
  await expect(fileRow(page, 'next.bin')).toBeVisible()
  await expect(fileRow(page, 'half.bin')).toHaveCount(0)
  await expect.poll(() => storedObjects(server.dataFolder).length).toBe(1)
})

test('FIL-01 several files can be chosen at once, pasted, and dropped anywhere on the page', async ({
  page,
  context,
  folder,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const chosen = await Promise.all(['one.txt', 'two.txt'].map((name) => makeRandomFile({ folder, name, bytes: 1500 })))
  const dropped = await makeRandomFile({ folder, name: 'dropped.txt', bytes: 10 })
  await openNewAccount(page)

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose Files' }).click(),
  ])
  expect(chooser.isMultiple()).toBe(true)
  await chooser.setFiles(pathsOf(chosen))
  await expect(fileRow(page, 'one.txt')).toBeVisible()
  await expect(fileRow(page, 'two.txt')).toBeVisible()

  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(4, 4)
    canvas.getContext('2d')
    const image = await canvas.convertToBlob({ type: 'image/png' })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })])
  })
  await page.keyboard.press('Control+V')
  await expect(fileRow(page, 'Pasted image')).toContainText(/Pasted image \d{4}-\d\d-\d\d \d\d\.\d\d\.png/)

  await dropFiles(page, page.getByRole('heading', { name: 'Your Files' }), [dropped.path])
  await expect(fileRow(page, 'dropped.txt').getByText('10 Bytes')).toBeVisible()
})

test('FIL-09 an empty choice of files is ignored', async ({ page }) => {
  await openNewAccount(page)

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose Files' }).click(),
  ])
  await chooser.setFiles([])

  await expect(uploads(page)).toHaveCount(0)
  await expect(page.getByText('Upload files to see them here')).toBeVisible()
})

test('FIL-10 a name of 120 characters is truncated at 300 pixels and shown in full on hover', async ({
  page,
  folder,
}) => {
  const name = `${'a-long-name-'.repeat(10).slice(0, 116)}.txt`
  const file = await makeRandomFile({ folder, name, bytes: 5 })
  await openNewAccount(page)
  await dropFiles(page, dropZone(page), [file.path])

  const shown = fileRow(page, name).getByTitle(name)

  await expect(shown).toBeVisible()
  expect((await shown.boundingBox())?.width).toBeLessThanOrEqual(300)
  const [stem, extension] = await shown.evaluate((element) => {
    const part = element.querySelector('[aria-hidden] > span')
    return [part && part.scrollWidth > part.clientWidth ? 'cut' : 'whole', part?.nextSibling?.textContent]
  })
  expect([stem, extension]).toEqual(['cut', '.txt'])
})

test('FIL-13 a file is deleted after confirmation, and all files after another', async ({ page, server }) => {
  const account = await createAccount(server.url)
  for (const name of ['first.txt', 'second.txt', 'third.txt']) await account.upload(new File(['x'], name))
  await openFiles(page, account)
  const dialog = page.getByRole('alertdialog')

  await fileRow(page, 'second.txt').getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByRole('heading', { name: 'Delete File' })).toBeVisible()
  await expect(dialog).toContainText('Are you sure you want to delete this file? This action cannot be undone.')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(fileRow(page, 'second.txt')).toBeVisible()

  await fileRow(page, 'second.txt').getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(fileRow(page, 'second.txt')).toHaveCount(0)
  await expect.poll(() => storedObjects(server.dataFolder).length).toBe(2)

  await page.getByRole('button', { name: 'Delete All' }).click()
  await expect(dialog).toContainText('Are you sure you want to delete all files? This action cannot be undone.')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Upload files to see them here')).toBeVisible()
  await expect.poll(() => storedObjects(server.dataFolder).length).toBe(0)
})

test('FIL-11 FIL-21 a file is marked expired, disappears, and can no longer be listed, downloaded or shared', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const id = await account.upload(new File(['short lived'], 'brief.txt'), 1)
  await page.clock.install()
  await openFiles(page, account)
  await expect(fileRow(page, 'brief.txt').getByText(/^0h [01]m remaining$/)).toBeVisible()

  await page.clock.pauseAt(await expiryOf(account))
  await page.clock.runFor(1000)
  await expect(fileRow(page, 'brief.txt').getByText('Expired')).toBeVisible()
  await page.clock.runFor(3000)
  await expect(fileRow(page, 'brief.txt')).toHaveCount(0)

  await server.setClock(minuteMs)
  const headers = { authorization: `Bearer ${account.accessToken}` }
  for (const path of [`/api/file/${id}/key`, `/api/download/${id}`]) {
    const answer = await fetch(server.url + path, { headers })
    expect([path, answer.status]).toEqual([path, 404])
  }
  const listed = await fetch(`${server.url}/api/files`, { headers })
  expect(await listed.json()).toEqual({ success: true, files: [] })
})

test('FIL-20 an upload over the quota is rejected with a message that says how full the storage is', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  await reserveStorage(server.url, account, 1024 * megabyte - 100_000)
  const file = await makeRandomFile({ folder, name: 'too-much.bin', bytes: 200_000 })
  await openFiles(page, account)

  await dropFiles(page, dropZone(page), [file.path])

  await expect(page.getByRole('alert')).toContainText(
    'Failed to upload too-much.bin: Storage limit reached: 1023.90 MB of 1.00 GB used',
  )
  await expect(fileRow(page, 'too-much.bin')).toHaveCount(0)
})

test('FIL-09 a failed upload shows a banner that stays, and Retry works', async ({ page, folder }) => {
  const file = await makeRandomFile({ folder, name: 'unlucky.bin', bytes: 3000 })
  await openNewAccount(page)
  await page.route('**/api/upload', (route) => route.fulfill({ status: 501, body: 'a proxy in between' }))
  await dropFiles(page, dropZone(page), [file.path])
  const banner = page.getByRole('alert').filter({ hasText: 'Failed to upload unlucky.bin: ' })
  await expect(banner).toContainText('Failed to upload unlucky.bin: Upload failed: 501')

  await page.unroute('**/api/upload')
  await banner.getByRole('button', { name: 'Retry' }).click()

  await expect(fileRow(page, 'unlucky.bin')).toBeVisible()
  await expect(banner).toHaveCount(0)
})

test('FIL-05 FIL-09 a chunk without a response is tried 4 times before the upload fails', async ({ page, folder }) => {
  const file = await makeRandomFile({ folder, name: 'lost.bin', bytes: 6 * megabyte })
  let attemptCount = 0
  await openNewAccount(page)
  await page.route('**/api/upload-chunk', (route) => {
    attemptCount += 1
    return route.abort('connectionreset')
  })
  // The WebSocket transport is blocked as well.
  await page.route('**/api/live/tickets', (route) => {
    if (route.request().postDataJSON().purpose !== 'upload') return route.continue()
    attemptCount += 1
    return route.abort('connectionreset')
  })

  await dropFiles(page, dropZone(page), [file.path])

  await expect(page.getByRole('alert')).toContainText('Failed to upload lost.bin: Chunk 0 failed after 3 attempts', {
    timeout: 120_000,
  })
  expect(attemptCount).toBe(4)
})

test('ACC-13 a file call that fails with 401 signs out and says why', async ({ page }) => {
  await openNewAccount(page)
  const errorBody = { success: false, error: 'Your session has expired. Please log in again.', code: 'SESSION_EXPIRED' }
  await page.route('**/api/files', (route) => route.fulfill({ status: 401, json: errorBody }))

  await page.reload()

  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Your session has expired. Please log in again.')
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  expect(await storedKeys(page)).toEqual([])
})

test('P10 global sign-out reaches an open page and clears its keys', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await openFiles(page, account)
  const headers = { authorization: `Bearer ${account.accessToken}` }

  await fetch(`${server.url}/auth/v1/logout?scope=global`, { method: 'POST', headers })

  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Your session has expired. Please log in again.')
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  expect(await storedKeys(page)).toEqual([])
})

test('FIL-11 a second tab gets the key from the first one and sees uploads and deletions without reloading', async ({
  page,
  context,
  folder,
}) => {
  const file = await makeRandomFile({ folder, name: 'seen-by-both.bin', bytes: 4000 })
  await openNewAccount(page)
  const second = await context.newPage()
  await second.goto('/')
  await expectFiles(second)

  await dropFiles(page, dropZone(page), [file.path])
  await expect(fileRow(second, 'seen-by-both.bin')).toBeVisible()
  await fileRow(second, 'seen-by-both.bin').getByRole('button', { name: 'Delete' }).click()
  await second.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()

  await expect(fileRow(page, 'seen-by-both.bin')).toHaveCount(0)
})

async function expiryOf({ call }: Account): Promise<number> {
  const [file] = (await call(files.list, {})).files
  if (!file) throw new Error('The account has no file')
  return file.expiresAt
}
