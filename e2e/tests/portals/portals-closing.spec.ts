import type { Page } from '@playwright/test'
import { openNewAccount } from '../../support/account/open-files.ts'
import { signOut } from '../../support/account/users.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { countLive } from '../../support/browser/live-objects.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  allowBytes,
  connect,
  connectAtPortal,
  directConnectionOptions,
  holdFileData,
  joinPortal,
  openPortal,
  openPortalPage,
  sendFiles,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

const countCryptoKeys = (page: Page) => countLive(page, 'CryptoKey')
const countPeerConnections = (page: Page) => countLive(page, 'RTCPeerConnection')

test('T211 when one device closes the portal, the other is reset, and no portal key is left in either page', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await openPortalPage(context, server.url)
  const joiner = await openPortalPage(await anotherBrowser(), server.url)
  expect([await countCryptoKeys(creator), await countCryptoKeys(joiner)]).toEqual([0, 0])
  await connect(creator, joiner)
  for (const page of [creator, joiner]) {
    expect(await countCryptoKeys(page)).toBeGreaterThan(2)
    expect(await countPeerConnections(page)).toBe(1)
  }

  await joiner.getByRole('button', { name: 'Close Portal' }).click()

  for (const page of [creator, joiner]) {
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
    await expect.poll(() => countPeerConnections(page)).toBe(0)
    await expect.poll(() => countCryptoKeys(page)).toBe(0)
  }
})

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

test('POR-09 a visitor whose portal is closed by the other device during a transfer sees the reason on the sign-in page', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  await holdFileData(context)
  const [creator, joiner] = await connectAtPortal([context, await anotherBrowser()], server.url)
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes: 10_000_000 })
  await allowBytes(creator, 5_000_000)
  await sendFiles(creator, [file.path])
  await joiner.getByRole('button', { name: 'Accept' }).click()
  await expect(joiner.getByRole('heading', { name: 'Transferring' })).toBeVisible()

  await creator.getByRole('button', { name: 'Close Portal' }).click()

  await expect(joiner.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  const reason = joiner.getByRole('alert').filter({ hasText: 'Transfer failed: the portal was closed' })
  await expect(reason).toBeVisible()
  await expectAccessible(joiner, 'the landing page after a closed portal')
  await reason.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(reason).toHaveCount(0)
  // The device that closed the portal shows no reason.
  await expect(creator.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(creator.getByRole('alert')).toHaveCount(0)
})
