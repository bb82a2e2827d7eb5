import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createAccount } from '../support/account.ts'
import { saveDownload } from '../support/downloads.ts'
import { expect, test } from '../support/journey.ts'
import { fileRow, signIn, signOut } from '../support/people.ts'
import { expectEncrypted, privateFiles, samplesOf } from '../support/private-files.ts'
import { digestOf } from '../support/random-file.ts'
import { readArchive } from '../support/read-archive.ts'
import { stepUntilVisible, stopTime } from '../support/stopped-time.ts'

const megabyte = 1024 * 1024

const downloadAll = (page: Page) => page.getByRole('button', { name: 'Download All' }).click()
const card = (page: Page) => page.getByRole('region', { name: 'All files as one archive' })

test('FIL-16 T155 all files are saved as one archive, under harmless names of which none is there twice', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  const contents = [12 * megabyte + 5, 0, 700, 3].map((size) => randomBytes(size))
  const names = ['photos.tar', 'empty.txt', '../../photos.tar', 'Photos.tar']
  for (const [at, name] of names.entries())
    await account.upload(new File([contents[at] as Uint8Array<ArrayBuffer>], name))
  const asked: string[] = []
  page.context().on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.clock.install()
  await signIn(page, account)
  await expect(fileRow(page, 'empty.txt')).toBeVisible()
  await stopTime(page)

  const saved = await saveDownload(page, folder, async () => {
    await downloadAll(page)
    await stepUntilVisible(card(page).getByText('Saved'))
  })

  expect(saved.name).toBe('sallyport-files.zip')
  expect([...(await readArchive(saved.path))]).toEqual([
    ['Photos.tar', digestOf(contents[3] as Buffer)],
    ['photos (2).tar', digestOf(contents[2] as Buffer)],
    ['empty.txt', digestOf(contents[1] as Buffer)],
    ['photos (3).tar', digestOf(contents[0] as Buffer)],
  ])
  expect(asked).toContain('/api/download-all')
  expect(asked.filter((path) => path.startsWith('/api/download/'))).toEqual([])
  await page.clock.resume()
  await expect(card(page)).toHaveCount(0)
})

test('T156 a file that is damaged stops the archive by its name; without it the others are saved', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  const good = randomBytes(2 * megabyte)
  await account.upload(new File([good], 'good.bin'))
  const damaged = await account.upload(new File([randomBytes(megabyte)], 'damaged.bin'))
  await damage(server.dataFolder, damaged)
  await signIn(page, account)
  const downloads: string[] = []
  page.on('download', (download) => downloads.push(download.suggestedFilename()))

  await downloadAll(page)
  await expect(card(page).getByRole('alert')).toContainText('damaged.bin: Failed to decrypt chunk 0')
  expect(downloads).toEqual([])
  const saved = await saveDownload(page, folder, () =>
    card(page).getByRole('button', { name: 'Go on without it' }).click(),
  )

  expect([...(await readArchive(saved.path))]).toEqual([['good.bin', digestOf(good)]])
  await expect(card(page)).toContainText('Saved without damaged.bin')
})

test('FIL-16 what has come of an archive lies encrypted in the browser until all of it is there', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  const good = randomBytes(12 * megabyte + 5)
  const damaged = await account.upload(new File([randomBytes(megabyte)], 'damaged.bin'))
  // The newest is the first in the archive.
  await account.upload(new File([good], 'good.bin'))
  await damage(server.dataFolder, damaged)
  await signIn(page, account)

  await downloadAll(page)
  await expect(card(page).getByRole('alert')).toContainText('damaged.bin: Failed to decrypt chunk 0')
  await expectEncrypted(page, samplesOf(good), good.length)
  const saved = await saveDownload(page, folder, () =>
    card(page).getByRole('button', { name: 'Go on without it' }).click(),
  )

  expect([...(await readArchive(saved.path))]).toEqual([['good.bin', digestOf(good)]])
})

test('FIL-16 FIL-17 all files are given up on Cancel and at sign-out, and nothing of them is left behind', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File([randomBytes(8 * megabyte)], 'large.bin'))
  await signIn(page, account)
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.context().route('**/api/download-all', async (route) => {
    await held
    await route.abort()
  })
  const downloads: string[] = []
  page.on('download', (download) => downloads.push(download.suggestedFilename()))

  await downloadAll(page)
  await card(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(card(page).getByText('Download was cancelled')).toBeVisible()
  await expect(card(page)).toHaveCount(0)
  await downloadAll(page)
  await expect(card(page).getByText('Waiting')).toBeVisible()
  await signOut(page)
  release()

  await expect.poll(() => privateFiles(page)).toEqual([])
  expect(downloads).toEqual([])
})

test('FIL-16 a server that fails the whole archive is told in its words, and Retry starts it again', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['some words'], 'words.txt'))
  await signIn(page, account)
  await page
    .context()
    .route('**/api/download-all', (route) => route.fulfill({ status: 502, body: 'a proxy' }), { times: 1 })

  await downloadAll(page)
  await expect(card(page)).toContainText('Download failed: 502')
  const saved = await saveDownload(page, folder, () => card(page).getByRole('button', { name: 'Retry' }).click())

  expect([...(await readArchive(saved.path)).keys()]).toEqual(['words.txt'])
})

/** Turns a few sealed bytes of a stored file over. */
async function damage(dataFolder: string, fileId: string): Promise<void> {
  const volume = join(dataFolder, 'volumes', 'main')
  const object = readdirSync(volume, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith(`${fileId}/0`))
  const file = await open(join(volume, object ?? ''), 'r+')
  await file.write(randomBytes(16), 0, 16, 5000)
  await file.close()
}
