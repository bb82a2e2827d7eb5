import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import { startLyingServer } from '../../support/network/lying-server.ts'
import { joinAsLegacyPeer } from '../../support/portals/legacy-peer.ts'
import {
  acceptFile,
  directConnectionOptions,
  joinPortal,
  openPortal,
  openPortalPage,
  readCode,
  sendFiles,
} from '../../support/portals/portals.ts'
import { readPortalLink } from '../../support/portals/qr-code.ts'

test.use({ launchOptions: directConnectionOptions })

async function enableOption(page: Page, option: string): Promise<void> {
  await page.getByText('Options', { exact: true }).click()
  await page.getByRole('checkbox', { name: option }).check()
}

test('a portal that requires verified devices rejects a legacy peer even with the correct code', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await openPortalPage(context, server.url)
  const other = await openPortalPage(await anotherBrowser(), server.url)
  await enableOption(creator, 'Require verified devices')
  const pin = await openPortal(creator)
  joinAsLegacyPeer(other, { pin }).catch(() => undefined)

  await expect(creator.getByText('An unverified device tried to join. Here is a new code.')).toBeVisible()
  await expect.poll(() => readCode(creator)).not.toBe(pin)

  const joiner = await openPortalPage(await anotherBrowser(), server.url)
  await joinPortal(joiner, await readCode(creator))
  await expect(creator.getByText('Verified (PIN)')).toBeVisible()
})

test('a portal limited to link or QR code shows no digits, rejects them and opens by its link', async ({
  context,
  anotherBrowser,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
  const creator = await openPortalPage(context, server.url)
  await tabTo(creator, /^\s*Options$/)
  await creator.keyboard.press('Enter')
  await tabTo(creator, /^\s*Link or QR/)
  await creator.keyboard.press('Space')
  await expectAccessible(creator, 'the options of a portal')
  await creator.getByRole('button', { name: 'Create Portal' }).click()
  await expect(creator.getByText('Only the QR code or the link opens this portal.')).toBeVisible()
  await expect(creator.locator('.pin-plates')).toHaveCount(0)
  const linkBefore = await readPortalLink(creator)
  const joiner = await openPortalPage(await anotherBrowser(), server.url)

  await joinPortal(joiner, /join=(\d{6})/.exec(linkBefore)?.[1] ?? '')

  await expect(joiner.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  await expect(
    creator.getByText('Someone typed the code. Only the link or the QR code opens this portal.'),
  ).toBeVisible()
  await creator.getByRole('button', { name: 'Copy Link' }).click()
  const link = await readPortalLink(creator)
  expect(link, 'a typed code does not use up the link').toBe(linkBefore)
  await expect.poll(() => creator.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await joiner.goto(link)
  await expect(joiner.getByText('Verified (link)')).toBeVisible()
})

test('a relay-only portal reveals no address to the other device and is shown as relayed', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const lyingServer = await startLyingServer(server.url)
  const sentTypes: string[] = []
  lyingServer.setRewrites({
    toDevice(message) {
      sentTypes.push(message.type)
      return message
    },
  })
  const creator = await openPortalPage(context, lyingServer.url)
  const joiner = await openPortalPage(await anotherBrowser(), lyingServer.url)
  await enableOption(creator, 'Relay only')
  await joinPortal(joiner, await openPortal(creator))

  for (const page of [creator, joiner]) await expect(page.getByText('Relayed')).toBeVisible()
  for (const page of [creator, joiner]) await expect(page.getByText('Direct', { exact: true })).toHaveCount(0)
  const file = await makeRandomFile({ folder, name: 'hidden.bin', bytes: 300_000 })
  await sendFiles(joiner, [file.path])
  const saved = await acceptFile(creator, folder)

  expect(saved.sha256).toBe(file.sha256)
  expect(sentTypes).toContain('px-relay-ready')
  expect(sentTypes.filter((type) => type.startsWith('webrtc-'))).toEqual([])
  await lyingServer.close()
})
