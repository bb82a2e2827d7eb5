import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { stretchLongWaits } from '../../support/browser/long-waits.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  allowBytes,
  connectAtPortal,
  directConnectionOptions,
  holdFileData,
  joinPortal,
  openPortal,
  openPortalPage,
  readCode,
  sendFiles,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

const megabyte = 1024 * 1024

test('POR-01 POR-05 POR-09 a portal is opened, joined, used and closed by keyboard alone', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const creator = await openPortalPage(context, server.url)
  const joiner = await openPortalPage(await anotherBrowser(), server.url)
  const path = join(folder, 'note.txt')
  writeFileSync(path, 'note')
  creator.on('filechooser', (chooser) => chooser.setFiles(path))
  await tabTo(creator, /Create Portal$/)
  await creator.keyboard.press('Enter')
  await expect(creator.getByRole('heading', { name: 'Portal Opened' })).toBeVisible()
  await expectFocusNotLost(creator)
  await tabTo(creator, /Copy PIN/)

  await tabTo(joiner, /Portal code/)
  await joiner.keyboard.type(await readCode(creator))
  await joiner.keyboard.press('Enter')
  await expect(joiner.getByRole('heading', { name: 'Connected to Portal' })).toBeVisible()
  await expectFocusNotLost(joiner)
  await expect(creator.getByText('Device Connected!')).toBeVisible()

  await tabTo(creator, /Send File/)
  await creator.keyboard.press('Enter')
  await expect(joiner.getByRole('button', { name: 'Decline' })).toBeFocused()
  await tabTo(joiner, /Accept$/)
  const [download] = await Promise.all([joiner.waitForEvent('download'), joiner.keyboard.press('Enter')])
  expect(download.suggestedFilename()).toBe('note.txt')
  await expect(joiner.getByRole('alertdialog')).toHaveCount(0)
  await expectFocusNotLost(joiner)

  const compareHint = joiner.getByText('Check that both screens show the same pictures.')
  await expect(compareHint, 'the emoji are expanded after a typed code').toBeVisible()
  await tabTo(joiner, /Verify devices/)
  await joiner.keyboard.press('Enter')
  await expect(compareHint).toBeHidden()
  await tabTo(joiner, /^\s*Close Portal$/)
  await joiner.keyboard.press('Enter')
  for (const page of [creator, joiner]) await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
})

/** The pressed button may be gone; keyboard focus must not fall back to the body. */
const expectFocusNotLost = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)

test('POR-01 POR-05 POR-08 every screen of a connected portal is accessible, in both themes and sizes', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  await holdFileData(context)
  const other = await anotherBrowser()
  for (const one of [context, other]) await stretchLongWaits(one)
  const [creator, joiner] = await connectAtPortal([context, other], server.url)
  await expectAccessible(creator, 'a device connected')
  await expectAccessible(joiner, 'connected to a portal')
  const files = [
    await makeRandomFile({ folder, name: 'a.bin', bytes: 4 * megabyte }),
    await makeRandomFile({ folder, name: 'b.bin', bytes: 100 }),
  ]
  await allowBytes(creator, 2.5 * megabyte)

  await sendFiles(
    creator,
    files.map(({ path }) => path),
  )
  await expect(joiner.getByRole('alertdialog')).toBeVisible()
  await expectAccessible(joiner, 'an offer')
  await expectAccessible(creator, 'a transfer that waits for an answer')
  await joiner.getByRole('button', { name: 'Accept' }).click()
  await expect(joiner.getByRole('region', { name: 'Transferring' })).toBeVisible()
  await expectAccessible(joiner, 'a transfer')
})

test('POR-01 on a phone the code comes first, then the QR code, and each control is at least 44 pixels high', async ({
  anotherBrowser,
  server,
}) => {
  const phone = await anotherBrowser({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await openPortalPage(phone, server.url)
  await openPortal(page)
  const boundingBoxOf = async (part: string) => (await page.locator(part).boundingBox()) ?? { y: Number.NaN, height: 0 }
  const [plates, code, illustration] = [
    await boundingBoxOf('.pin-plates'),
    await boundingBoxOf('.qr-code'),
    await boundingBoxOf('.gateway'),
  ]
  expect(plates.y + plates.height).toBeLessThan(code.y)
  expect(code.y + code.height).toBeLessThan(illustration.y)
  expect(code.y + code.height).toBeLessThan(844)

  const small = await page
    .locator('main button:visible, main summary:visible')
    .evaluateAll((controls) =>
      controls.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent),
    )
  expect(small).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('POR-07 an error banner is dismissed by keyboard, and a code can be typed immediately', async ({
  context,
  server,
}) => {
  const page = await openPortalPage(context, server.url)
  await joinPortal(page, '482913')
  await expect(page.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  await expectAccessible(page, 'a failed join')
  await tabTo(page, /Dismiss/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await tabTo(page, /Portal code/)
})

test('POR-01 on the narrowest screens the code fits on its card, and nothing scrolls sideways', async ({
  context,
  server,
}) => {
  const page = await openPortalPage(context, server.url)
  await page.setViewportSize({ width: 320, height: 640 })
  await openPortal(page)
  const [plates, card] = [
    await page.locator('.pin-plates').boundingBox(),
    await page.getByRole('region', { name: 'Portal Opened' }).boundingBox(),
  ]
  expect(plates?.x).toBeGreaterThan(card?.x ?? 320)
  expect((plates?.x ?? 320) + (plates?.width ?? 320)).toBeLessThan((card?.x ?? 0) + (card?.width ?? 0))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})
