import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { countCryptoKeys, countPeerConnections } from '../../support/browser/live-objects.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  allowBytes,
  connect,
  connectAtPortal,
  directConnectionOptions,
  holdFileData,
  joinPortal,
  openPortalPage,
  sendFiles,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

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

test('POR-09 when the other device has gone the page hides the used code, says so after 20 seconds and reconnects when it is back', async ({
  context,
  anotherBrowser,
  server,
}) => {
  await context.clock.install()
  const other = await anotherBrowser()
  const creator = await openPortalPage(context, server.url)
  const joiner = await openPortalPage(other, server.url)
  const pin = await connect(creator, joiner)
  const code = creator.locator('.pin-plates')
  const qrCode = creator.getByRole('img', { name: 'Scan to join instantly' })
  const goneNotice = creator.getByText('The other device has gone. If it comes back within 10 minutes')

  await joiner.close()

  await expect(creator.getByText('Reconnecting to the other device')).toBeVisible()
  await expect(goneNotice).toHaveCount(0)
  for (const shown of [code, qrCode, creator.getByText(pin)]) await expect(shown).toHaveCount(0)
  await creator.clock.fastForward(20_000)
  await expect(goneNotice).toBeVisible()
  for (const shown of [code, qrCode, creator.getByText(pin)]) await expect(shown).toHaveCount(0)

  const stranger = await openPortalPage(await anotherBrowser(), server.url)
  await joinPortal(stranger, pin)
  const errorBanner = stranger.getByRole('alert').filter({ hasText: 'Failed to join room' })
  await expect(errorBanner).toContainText('The code may have changed. Look at the other screen.')

  const reopened = await openPortalPage(other, server.url)
  await reopened.getByRole('button', { name: 'Resume' }).click()
  await expect(creator.getByText('Device Connected!')).toBeVisible()
  await expect(goneNotice).toHaveCount(0)
  await expect(reopened.getByText('Verified (PIN)')).toBeVisible()
})
