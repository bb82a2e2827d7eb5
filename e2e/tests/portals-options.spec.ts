import type { Page } from '@playwright/test'
import { joinAsBasicPeer } from '../support/basic-peer.ts'
import { expectAccessible } from '../support/expect-accessible.ts'
import { expect, test } from '../support/journey.ts'
import { tabTo } from '../support/keyboard.ts'
import { startLyingServer } from '../support/lying-server.ts'
import { acceptFile, atPortal, direct, joinPortal, openPortal, readCode, sendFiles } from '../support/portals.ts'
import { readLink } from '../support/qr-picture.ts'
import { makeRandomFile } from '../support/random-file.ts'

test.use({ launchOptions: direct })

async function choose(page: Page, option: string): Promise<void> {
  await page.getByText('Options', { exact: true }).click()
  await page.getByRole('checkbox', { name: option }).check()
}

test('a portal that requires verified devices refuses one that knows only the specification, also with the right code', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await atPortal(context, server.url)
  const other = await atPortal(await anotherBrowser(), server.url)
  await choose(creator, 'Require verified devices')
  const pin = await openPortal(creator)
  joinAsBasicPeer(other, { pin }).catch(() => undefined)

  await expect(creator.getByText('A device that cannot be verified wanted to join. Here is a new one.')).toBeVisible()
  await expect.poll(() => readCode(creator)).not.toBe(pin)

  const joiner = await atPortal(await anotherBrowser(), server.url)
  await joinPortal(joiner, await readCode(creator))
  await expect(creator.getByText('Verified (PIN)')).toBeVisible({ timeout: 30_000 })
})

test('a portal for link or QR code alone shows no digits, refuses them, and opens by its link', async ({
  context,
  anotherBrowser,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
  const creator = await atPortal(context, server.url)
  await tabTo(creator, /^\s*Options$/)
  await creator.keyboard.press('Enter')
  await tabTo(creator, /^\s*Link or QR/)
  await creator.keyboard.press('Space')
  await expectAccessible(creator, 'the options of a portal')
  await creator.getByRole('button', { name: 'Create Portal' }).click()
  await expect(creator.getByText('Only the QR code or the link opens this portal.')).toBeVisible()
  await expect(creator.locator('.pin-plates')).toHaveCount(0)
  const before = await readLink(creator)
  const joiner = await atPortal(await anotherBrowser(), server.url)

  await joinPortal(joiner, /join=(\d{6})/.exec(before)?.[1] ?? '')

  await expect(joiner.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  await expect(
    creator.getByText('Someone typed the code. Only the link or the QR code opens this portal.'),
  ).toBeVisible()
  await creator.getByRole('button', { name: 'Copy Link' }).click()
  const link = await readLink(creator)
  expect(link, 'a link is not used up by a typed code').toBe(before)
  await expect.poll(() => creator.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await joiner.goto(link)
  await expect(joiner.getByText('Verified (link)')).toBeVisible({ timeout: 30_000 })
})

test('a portal by relay only tells the other device no address, and says that it is relayed', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const liar = await startLyingServer(server.url)
  const told: string[] = []
  liar.lie({
    told(message) {
      told.push(message.type)
      return message
    },
  })
  const creator = await atPortal(context, liar.url)
  const joiner = await atPortal(await anotherBrowser(), liar.url)
  await choose(creator, 'Relay only')
  await joinPortal(joiner, await openPortal(creator))

  for (const page of [creator, joiner]) await expect(page.getByText('Relayed')).toBeVisible({ timeout: 30_000 })
  for (const page of [creator, joiner]) await expect(page.getByText('Direct', { exact: true })).toHaveCount(0)
  const file = await makeRandomFile({ folder, name: 'hidden.bin', bytes: 300_000 })
  await sendFiles(joiner, [file.path])
  const saved = await acceptFile(creator, folder)

  expect(saved.sha256).toBe(file.sha256)
  expect(told).toContain('px-relay-ready')
  expect(told.filter((type) => type.startsWith('webrtc-'))).toEqual([])
  await liar.close()
})
