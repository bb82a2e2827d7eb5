import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { dropZone, fileRow, signOut } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { countPersistedUploads } from '../../support/files/persisted-uploads.ts'
import { clickResumable, createFiles, expectUploaded, interruptByReload } from '../../support/files/queued-uploads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'

test('F25 a small file whose response was lost is not offered again at the next visit', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  const file = await makeRandomFile({ folder, name: 'a.txt', bytes: 1234 })
  await openFiles(page, account)
  const stored = Promise.withResolvers<void>()
  await page.route('**/api/upload', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    stored.resolve()
  })
  await dropFiles(page, dropZone(page), [file.path])
  await stored.promise
  expect(await countPersistedUploads(page)).toBe(1)

  await page.reload()

  await expectUploaded(page, account, folder, [file])
})

test('a dropped folder resumes with one click, and its files keep their folders', async ({ page, folder, server }) => {
  const account = await createAccount(server.url)
  await mkdir(join(folder, 'site', 'plans'), { recursive: true })
  const nestedFile = await makeRandomFile({ folder: join(folder, 'site', 'plans'), name: 'north.dwg', bytes: 5000 })
  const [first] = await createFiles(join(folder, 'site'))
  await openFiles(page, account)
  await interruptByReload(page, [{ path: join(folder, 'site') }], 2)

  await clickResumable(page, 'Resume all')

  await expectUploaded(page, account, folder, [nestedFile, ...(first ? [first] : [])])
  await expect(fileRow(page, 'north.dwg').getByText('site/plans', { exact: true })).toBeVisible()
})

test('T037 sign-out deletes the records of queued uploads', async ({ page, folder, server }) => {
  const testFiles = await createFiles(folder, 'a.txt')
  await openFiles(page, await createAccount(server.url))
  await interruptByReload(page, testFiles, 2)

  await signOut(page)

  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
})

test('a browser whose storage is full shows a message and uploads anyway', async ({ page, folder, server }) => {
  await page.addInitScript(() => {
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...args: Parameters<typeof put>) {
      if (this.name === 'uploads') throw new DOMException('There is no room', 'QuotaExceededError')
      return put.apply(this, args)
    }
  })
  const account = await createAccount(server.url)
  const testFiles = await createFiles(folder, 'a.txt', 'b.txt')
  await openFiles(page, account)

  await dropFiles(
    page,
    dropZone(page),
    testFiles.map(({ path }) => path),
  )

  await expect(page.getByText(/^Your browser doesn’t have enough space to remember these uploads/)).toBeVisible()
  await expectUploaded(page, account, folder, testFiles)
})
