import { openNewAccount } from '../../support/account/open-files.ts'
import { signOut } from '../../support/account/users.ts'
import { countCryptoKeys, countPeerConnections } from '../../support/browser/live-objects.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  allowBytes,
  directConnectionOptions,
  holdFileData,
  joinPortal,
  openPortal,
  openPortalPage,
  sendFiles,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

test('T211 sign-out during a transfer closes the portal, and the other device is reset', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  await context.grantPermissions(['camera'], { origin: server.url })
  await holdFileData(context)
  const creator = await context.newPage()
  await openNewAccount(creator, server.url)
  await creator.getByRole('link', { name: 'Portal' }).click()
  const joiner = await openPortalPage(await anotherBrowser(), server.url)
  const pin = await openPortal(creator)
  await joinPortal(joiner, pin)
  await expect(creator.getByText('Device Connected!')).toBeVisible()
  const file = await makeRandomFile({ folder, name: 'long.bin', bytes: 50_000_000 })
  await allowBytes(creator, 20_000_000)
  await sendFiles(creator, [file.path])
  await joiner.getByRole('button', { name: 'Accept' }).click()
  await expect(joiner.getByRole('heading', { name: 'Transferring' })).toBeVisible()
  const downloads: string[] = []
  joiner.on('download', (download) => downloads.push(download.suggestedFilename()))

  await signOut(creator)

  await expect(joiner.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  for (const page of [creator, joiner]) await expect.poll(() => countPeerConnections(page)).toBe(0)
  await expect.poll(() => countCryptoKeys(joiner)).toBe(0)
  expect(downloads).toEqual([])
  const latePage = await openPortalPage(await anotherBrowser(), server.url)
  await joinPortal(latePage, pin)
  await expect(latePage.getByRole('alert').getByText('Failed to join room')).toBeVisible()
})
