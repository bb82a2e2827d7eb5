import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Download, type Page } from '@playwright/test'
import { saveDownload } from '../support/downloads.ts'
import { guard } from '../support/guard.ts'
import { expect, test } from '../support/journey.ts'
import { signUp } from '../support/people.ts'
import { atPortal, connect, connectAtPortal, direct, sendFiles } from '../support/portals.ts'
import { privateFiles } from '../support/private-files.ts'
import { asPathList, makeRandomFile, sha256Of } from '../support/random-file.ts'

test.use({ launchOptions: direct })

const megabyte = 1024 * 1024

/** The portal of somebody who is signed in. */
async function atOwnPortal(page: Page): Promise<Page> {
  await signUp(page)
  await page.getByRole('link', { name: 'Portal' }).click()
  return page
}

/** Sends files through the portal and answers the sums of what the other browser has saved, by their names. */
async function pass(from: Page, to: Page, folder: string, paths: readonly string[]) {
  const downloads: Download[] = []
  const note = (download: Download) => downloads.push(download)
  to.on('download', note)
  await sendFiles(from, paths)
  await to.getByRole('button', { name: 'Accept' }).click({ timeout: 30_000 })
  await expect.poll(() => downloads.length, { timeout: 90_000 }).toBe(paths.length)
  to.off('download', note)
  const saved = await Promise.all(
    downloads.map(async (download) => {
      const path = join(folder, `saved-${download.suggestedFilename()}`)
      await download.saveAs(path)
      return [download.suggestedFilename(), await sha256Of(path)] as const
    }),
  )
  for (const page of [from, to]) await expect(page.getByRole('button', { name: 'Send File' })).toBeEnabled()
  return Object.fromEntries(saved)
}

test('POR-04 POR-05 nothing, one byte, 16 KB, 10 MB and a byte, 50 MB and a byte: with an account and without, both ways, byte for byte', async ({
  page,
  anotherBrowser,
  folder,
  server,
}) => {
  const member = await atOwnPortal(page)
  await page.context().grantPermissions(['camera'], { origin: server.url })
  const visitor = await atPortal(await anotherBrowser(), server.url)
  await connect(member, visitor)
  const make = (bytes: number) => makeRandomFile({ folder, name: `${bytes}.bin`, bytes })
  const small = await Promise.all([0, 1, 16_384].map(make))
  const large = await Promise.all([10 * megabyte + 1, 50 * megabyte + 1].map(make))

  for (const [from, to] of [
    [member, visitor],
    [visitor, member],
  ] as const) {
    for (const files of [small, large]) {
      const saved = await pass(from, to, folder, asPathList(files))
      expect(saved).toEqual(Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256])))
    }
  }
})

test('POR-04 POR-06 300 MB arrive byte for byte, both ways', async ({ context, anotherBrowser, folder, server }) => {
  const [creator, joiner] = await connectAtPortal([context, await anotherBrowser()], server.url)
  const file = await makeRandomFile({ folder, name: 'large.bin', bytes: 300 * megabyte })

  expect(await pass(creator, joiner, folder, [file.path])).toEqual({ [file.name]: file.sha256 })
  expect(await pass(joiner, creator, folder, [file.path])).toEqual({ [file.name]: file.sha256 })
})

/** A file of so many zeros that takes no room where it is sent from. */
async function makeHollowFile(folder: string, name: string, bytes: number): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, '')
  await truncate(path, bytes)
  return path
}

async function setRoom(page: Page, origin: string, megabytes: number): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: megabytes * megabyte })
}

test('POR-05 a file that finds no room is refused before anybody is asked, and both people read why', async ({
  context,
  complaints,
  folder,
  server,
}) => {
  // Browsers that keep nothing do not count what a file is going to take.
  const other = await chromium.launchPersistentContext(join(folder, 'profile'), direct)
  await guard(other, complaints)
  const [creator, joiner] = await connectAtPortal([context, other], server.url)
  await setRoom(joiner, server.url, 70)

  await sendFiles(creator, [await makeHollowFile(folder, 'too large.bin', 80 * megabyte)])

  await expect(joiner.getByText('Transfer failed: there is not enough space on this device')).toBeVisible()
  await expect(creator.getByText('Transfer failed: there is no room for the file on the other device')).toBeVisible()
  await expect(joiner.getByRole('alertdialog')).toHaveCount(0)
  const file = await makeRandomFile({ folder, name: 'fits.bin', bytes: 100_000 })
  expect(await pass(creator, joiner, folder, [file.path])).toEqual({ [file.name]: file.sha256 })
  await other.close()
})

test('POR-05 POR-06 a disk that is full by the time the bytes come ends the transfer: nothing is saved, and both people read why', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const [creator, joiner] = await connectAtPortal([context, await anotherBrowser()], server.url)
  const saved: string[] = []
  joiner.on('download', (download) => saved.push(download.suggestedFilename()))
  await sendFiles(creator, [await makeHollowFile(folder, 'large.bin', 80 * megabyte)])
  await expect(joiner.getByRole('alertdialog')).toBeVisible()
  await setRoom(joiner, server.url, 20)

  await joiner.getByRole('button', { name: 'Accept' }).click()

  await expect(joiner.getByText('Transfer failed: there is not enough space on this device')).toBeVisible()
  await expect(creator.getByText('Transfer failed: there is no room for the file on the other device')).toBeVisible()
  expect(saved).toEqual([])
  await expect.poll(() => privateFiles(joiner)).toEqual([])
  await setRoom(joiner, server.url, 500)
  const file = await makeRandomFile({ folder, name: 'next.bin', bytes: 10 * megabyte })
  const next = await saveDownload(joiner, folder, async () => {
    await sendFiles(creator, [file.path])
    await joiner.getByRole('button', { name: 'Accept' }).click()
  })
  expect(next.sha256).toBe(file.sha256)
})
