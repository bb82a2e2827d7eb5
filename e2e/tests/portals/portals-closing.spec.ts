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
