import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow, signOut } from '../../support/account/users.ts'
import { expectEncrypted, listOpfs, samplesOf } from '../../support/browser/opfs.ts'
import { pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { sha256OfBytes } from '../../support/files/random-file.ts'
import { readArchive } from '../../support/files/read-archive.ts'
import { expect, test } from '../../support/journey.ts'

const megabyte = 1024 * 1024

const downloadAll = (page: Page) => page.getByRole('button', { name: 'Download All' }).click()
const archiveCard = (page: Page) => page.getByRole('region', { name: 'All files as one archive' })

test('FIL-16 T155 all files are saved as one archive under safe and unique names', async ({ page, folder, server }) => {
  const account = await createAccount(server.url)
  const contents = [12 * megabyte + 5, 0, 700, 3].map((size) => randomBytes(size))
  const names = ['photos.tar', 'empty.txt', '../../photos.tar', 'Photos.tar']
  for (const [index, name] of names.entries())
    await account.upload(new File([contents[index] as Uint8Array<ArrayBuffer>], name))
  const requestedPaths: string[] = []
  page.context().on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
  await page.clock.install()
  await openFiles(page, account)
  await expect(fileRow(page, 'empty.txt')).toBeVisible()
  await pauseClock(page)

  const saved = await saveDownload(page, folder, async () => {
    await downloadAll(page)
    await stepUntilVisible(archiveCard(page).getByText('Saved'))
  })

  expect(saved.name).toBe('sallyport-files.zip')
  expect([...(await readArchive(saved.path))]).toEqual([
    ['Photos.tar', sha256OfBytes(contents[3] as Buffer)],
    ['photos (2).tar', sha256OfBytes(contents[2] as Buffer)],
    ['empty.txt', sha256OfBytes(contents[1] as Buffer)],
    ['photos (3).tar', sha256OfBytes(contents[0] as Buffer)],
  ])
  expect(requestedPaths).toContain('/api/download-all')
  expect(requestedPaths.filter((path) => path.startsWith('/api/download/'))).toEqual([])
  await page.clock.resume()
  await expect(archiveCard(page)).toHaveCount(0)
})

test('T156 a damaged file stops the archive and is named; without it the others are saved', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  const intactBytes = randomBytes(2 * megabyte)
  await account.upload(new File([intactBytes], 'good.bin'))
  const damagedId = await account.upload(new File([randomBytes(megabyte)], 'damaged.bin'))
  await corruptFile(server.dataFolder, damagedId)
  await openFiles(page, account)
  const downloads: string[] = []
  page.on('download', (download) => downloads.push(download.suggestedFilename()))

  await downloadAll(page)
  await expect(archiveCard(page).getByRole('alert')).toContainText('damaged.bin: Failed to decrypt chunk 0')
  expect(downloads).toEqual([])
  const saved = await saveDownload(page, folder, () =>
    archiveCard(page).getByRole('button', { name: 'Continue without it' }).click(),
  )

  expect([...(await readArchive(saved.path))]).toEqual([['good.bin', sha256OfBytes(intactBytes)]])
  await expect(archiveCard(page)).toContainText('Saved without damaged.bin')
})

test('FIL-16 an archive is encrypted in the browser until it is complete', async ({ page, folder, server }) => {
  const account = await createAccount(server.url)
  const intactBytes = randomBytes(12 * megabyte + 5)
  const damagedId = await account.upload(new File([randomBytes(megabyte)], 'damaged.bin'))
  // The archive starts with the newest file.
  await account.upload(new File([intactBytes], 'good.bin'))
  await corruptFile(server.dataFolder, damagedId)
  await openFiles(page, account)

  await downloadAll(page)
  await expect(archiveCard(page).getByRole('alert')).toContainText('damaged.bin: Failed to decrypt chunk 0')
  await expectEncrypted(page, samplesOf(intactBytes), intactBytes.length)
  const saved = await saveDownload(page, folder, () =>
    archiveCard(page).getByRole('button', { name: 'Continue without it' }).click(),
  )

  expect([...(await readArchive(saved.path))]).toEqual([['good.bin', sha256OfBytes(intactBytes)]])
})

test('FIL-16 FIL-17 Cancel and sign-out abort an archive download and leave nothing of it behind', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File([randomBytes(8 * megabyte)], 'large.bin'))
  await openFiles(page, account)
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.context().route('**/api/download-all', async (route) => {
    await released
    await route.abort()
  })
  const downloads: string[] = []
  page.on('download', (download) => downloads.push(download.suggestedFilename()))

  await downloadAll(page)
  await archiveCard(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(archiveCard(page).getByText('Download was cancelled')).toBeVisible()
  await expect(archiveCard(page)).toHaveCount(0)
  await downloadAll(page)
  await expect(archiveCard(page).getByText('Waiting')).toBeVisible()
  await signOut(page)
  release()

  await expect.poll(() => listOpfs(page)).toEqual([])
  expect(downloads).toEqual([])
})

test('FIL-16 an archive that the server rejects 3 times shows its error, and Retry starts it again', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['some words'], 'words.txt'))
  await openFiles(page, account)
  await page
    .context()
    .route('**/api/download-all', (route) => route.fulfill({ status: 502, body: 'a proxy' }), { times: 3 })

  await downloadAll(page)
  await expect(archiveCard(page)).toContainText('Download failed: 502')
  const saved = await saveDownload(page, folder, () => archiveCard(page).getByRole('button', { name: 'Retry' }).click())

  expect([...(await readArchive(saved.path)).keys()]).toEqual(['words.txt'])
})

/** Overwrites a few sealed bytes of a stored file. */
async function corruptFile(dataFolder: string, fileId: string): Promise<void> {
  const volume = join(dataFolder, 'volumes', 'main')
  const object = readdirSync(volume, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith(`${fileId}/0`))
  const file = await open(join(volume, object ?? ''), 'r+')
  await file.write(randomBytes(16), 0, 16, 5000)
  await file.close()
}
