import type { Page } from '@playwright/test'
import { openNewAccount } from '../../support/account/open-files.ts'
import { listOpfs } from '../../support/browser/opfs.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile, pathsOf } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  connect,
  connectAtPortal,
  directConnectionOptions,
  openPortalPage,
  sendFiles,
} from '../../support/portals/portals.ts'
import { createSparseFile, largeMegabytes, setQuota, transfer } from '../../support/portals/sizes.ts'

const megabyte = 1024 * 1024

test.use({ launchOptions: directConnectionOptions })

/** Opens the portal of a signed-in user. */
async function openOwnPortal(page: Page): Promise<Page> {
  await openNewAccount(page)
  await page.getByRole('link', { name: 'Portal' }).click()
  return page
}

test('POR-04 POR-05 files of 0 B, 1 B, 16 KB, 10 MB + 1 B and 50 MB + 1 B arrive unchanged both ways, with and without an account', async ({
  page,
  anotherBrowser,
  folder,
  server,
}) => {
  const member = await openOwnPortal(page)
  await page.context().grantPermissions(['camera'], { origin: server.url })
  const visitor = await openPortalPage(await anotherBrowser(), server.url)
  await connect(member, visitor)
  const createFile = (bytes: number) => makeRandomFile({ folder, name: `${bytes}.bin`, bytes })
  const small = await Promise.all([0, 1, 16_384].map(createFile))
  const large = await Promise.all([10 * megabyte + 1, 50 * megabyte + 1].map(createFile))

  for (const [from, to] of [
    [member, visitor],
    [visitor, member],
  ] as const) {
    for (const files of [small, large]) {
      const saved = await transfer(from, to, folder, pathsOf(files))
      expect(saved).toEqual(Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256])))
    }
  }
})

test('POR-04 POR-06 a large file arrives unchanged both ways', async ({ context, anotherBrowser, folder, server }) => {
  // 100 MB take 5 seconds each way on two idle processors, and 10 times as long on slow ones next to other tests.
  test.setTimeout(120_000 + largeMegabytes * 3000)
  const [creator, joiner] = await connectAtPortal([context, await anotherBrowser()], server.url)
  const file = await makeRandomFile({ folder, name: 'large.bin', bytes: largeMegabytes * megabyte })

  expect(await transfer(creator, joiner, folder, [file.path])).toEqual({ [file.name]: file.sha256 })
  expect(await transfer(joiner, creator, folder, [file.path])).toEqual({ [file.name]: file.sha256 })
})

test('POR-05 POR-06 a disk that fills up during a transfer fails it: nothing is saved, and both users see why', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const [creator, joiner] = await connectAtPortal([context, await anotherBrowser()], server.url)
  const saved: string[] = []
  joiner.on('download', (download) => saved.push(download.suggestedFilename()))
  await sendFiles(creator, [await createSparseFile(folder, 'large.bin', 80 * megabyte)])
  await expect(joiner.getByRole('alertdialog')).toBeVisible()
  await setQuota(joiner, server.url, 20)

  await joiner.getByRole('button', { name: 'Accept' }).click()

  await expect(joiner.getByText('Transfer failed: there is not enough space on this device')).toBeVisible()
  await expect(creator.getByText('Transfer failed: there is not enough space on the other device')).toBeVisible()
  expect(saved).toEqual([])
  await expect.poll(() => listOpfs(joiner)).toEqual([])
  await setQuota(joiner, server.url, 500)
  const file = await makeRandomFile({ folder, name: 'next.bin', bytes: 10 * megabyte })
  const next = await saveDownload(joiner, folder, async () => {
    await sendFiles(creator, [file.path])
    await joiner.getByRole('button', { name: 'Accept' }).click()
  })
  expect(next.sha256).toBe(file.sha256)
})
