import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openNewAccount } from '../../support/account/open-files.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { expect, test } from '../../support/journey.ts'
import { startFakeSignalling } from '../../support/portals/fake-signalling.ts'
import {
  blockDirectPaths,
  connect,
  directConnectionOptions,
  joinPortal,
  openPortal,
  openPortalPage,
} from '../../support/portals/portals.ts'
import { startServer } from '../../support/server/server.ts'

test.use({ launchOptions: directConnectionOptions })

const createPortal = (page: Page) => page.getByRole('button', { name: 'Create Portal' }).click()
const joinWithUnknownCode = (page: Page) => joinPortal(page, '482913')
const roomCreated = { type: 'room-created', roomCode: '48', peerId: 'a', px: { v: 2, digits: 4, resume: 'r' } }
const codeLocated = (nonce: string) => ({ type: 'px-located', result: 'v2', n: nonce })

/** The banner shows this text and can be dismissed. */
async function expectErrorBanner(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('alert').getByText(text, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Create Portal' })).toBeVisible()
}

test('POR-07 every pairing failure shows its own message in a banner over the menu', async ({ page }) => {
  await page.clock.install()
  const signalling = await startFakeSignalling(page)
  await openNewAccount(page)
  await page.getByRole('link', { name: 'Portal' }).click()
  await expect(page.getByRole('button', { name: 'Create Portal' })).toBeVisible()

  await pauseClock(page)
  await createPortal(page)
  await stepUntilVisible(page.getByText('Connecting...'))
  // The page waits for an answer from the moment it has asked.
  await expect.poll(() => signalling.received).toContain('create-room')
  await expect(page.getByText('Setting up secure connection')).toBeVisible()
  await page.clock.runFor(29_000)
  await expect(page.getByText('Connecting...')).toBeVisible()
  await page.clock.runFor(2000)
  await page.clock.resume()
  await expectErrorBanner(page, 'Room creation timeout')
  await joinWithUnknownCode(page)
  await expect(page.getByText('Connecting...')).toBeVisible()
  await expect.poll(() => signalling.received).toContain('px-locate')
  await page.clock.fastForward(31_000)
  await expectErrorBanner(page, 'Room join timeout')

  signalling.reply = () => [{ type: 'room-error', error: 'Room creation failed' }]
  await createPortal(page)
  await expectErrorBanner(page, 'Room creation failed')
  signalling.reply = () => [roomCreated, { type: 'room-error', error: 'Unknown error' }]
  await createPortal(page)
  await expectErrorBanner(page, 'Unknown error')
  signalling.reply = () => [roomCreated, { type: 'room-error', error: 'Room creation timeout' }]
  await createPortal(page)
  await expect(page.getByRole('alert').getByText('Nobody joined within 10 minutes.', { exact: true })).toBeVisible()
  signalling.reply = () => [roomCreated]
  await page.getByRole('button', { name: 'Create again' }).click()
  await expect(page.getByRole('heading', { name: 'Portal Opened' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.getByRole('button', { name: 'Close Portal' }).click()
  signalling.reply = () => 'close'
  await createPortal(page)
  await expectErrorBanner(page, 'WebSocket connection failed')

  signalling.reply = () => [{ type: 'px-located', result: 'none' }]
  await joinWithUnknownCode(page)
  await expect(page.getByRole('alert').getByText('The code may have changed. Look at the other screen.')).toBeVisible()
  await expectErrorBanner(page, 'Failed to join room')
  signalling.reply = () => [{ type: 'px-located', result: 'none', retryAfterSeconds: 45 }]
  await joinWithUnknownCode(page)
  await expectErrorBanner(page, 'Too many attempts. Try again in 45 seconds.')
  signalling.reply = ({ type }) =>
    type === 'px-locate'
      ? [codeLocated('AAAAAAAAAAAAAAAAAAAAAA')]
      : [{ type: 'room-error', error: 'Failed to join room' }]
  await joinWithUnknownCode(page)
  await expectErrorBanner(page, 'Failed to join portal room')

  await page.route('**/api/portals/tickets', (route) => route.abort())
  await createPortal(page)
  await expectErrorBanner(page, 'Failed to create wormhole')
  await joinWithUnknownCode(page)
  await expectErrorBanner(page, 'Failed to join wormhole')
})

test('POR-02 POR-07 an unknown code in a link shows its own message, and a code of 5 digits sends no request', async ({
  context,
  server,
}) => {
  const page = await context.newPage()
  await page.goto(`${server.url}/?join=482913`)
  await expectErrorBanner(page, 'Failed to join room from QR code')

  await page.route('**/api/portals/tickets', (route) => route.abort())
  await joinPortal(page, '482913')
  await expectErrorBanner(page, 'Failed to join portal')

  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  await page.goto(`${server.url}/?join=48291`)
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  expect(requestedUrls.filter((call) => call.includes('/api/portals'))).toEqual([])
})

test('POR-07 a device without a path to the other one shows an error after 30 seconds', async ({
  context,
  anotherBrowser,
}) => {
  const server = await startServer({ environment: { RELAY: 'off' } })
  const other = await anotherBrowser()
  for (const one of [context, other]) await blockDirectPaths(one)
  await other.clock.install()
  const creator = await openPortalPage(context, server.url)
  const joiner = await openPortalPage(other, server.url)
  const answerSent = joiner
    .waitForEvent('websocket')
    .then((socket) =>
      socket.waitForEvent('framesent', { predicate: ({ payload }) => String(payload).includes('webrtc-answer') }),
    )
  await joinPortal(joiner, await openPortal(creator))
  await answerSent

  await joiner.clock.fastForward(31_000)

  await expectErrorBanner(joiner, 'Connection timeout. Please try reconnecting both devices.')
  await server.stop()
})

test('POR-07 files dropped without a connection wait for it, without an error', async ({ context, server, folder }) => {
  await context.clock.install()
  const page = await openPortalPage(context, server.url)
  const path = join(folder, 'early.txt')
  writeFileSync(path, 'early')

  const heading = page.getByRole('heading', { name: 'Create Portal' })
  await expect(heading).toBeVisible()
  await dropFiles(page, heading, [path])
  await expect(page.getByRole('heading', { name: 'Portal Opened' })).toBeVisible()
  await expect(page.getByText('To be sent when another device connects: early.txt')).toBeVisible()
  await page.clock.fastForward(31_000)

  await expect(page.getByText('To be sent when another device connects: early.txt')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('POR-11 Enter on an incomplete code shows what is missing until the code is edited', async ({
  context,
  server,
}) => {
  const page = await openPortalPage(context, server.url)
  const code = page.getByRole('textbox', { name: 'Portal code' })
  await code.press('Enter')
  await expect(page.getByText('Please enter a 6-digit PIN')).toBeVisible()
  await code.fill('48291')
  await expect(page.getByText('Please enter a 6-digit PIN')).toHaveCount(0)
  await code.press('Enter')
  await expect(page.getByText('PIN must be exactly 6 digits')).toBeVisible()
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await code.press('1')
  await expect(page.getByText('PIN must be exactly 6 digits')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Join', exact: true })).toBeEnabled()
})

test('POR-01 SHL-06 each screen of a portal shows the sentences of the specification', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await openPortalPage(context, server.url)
  const joiner = await openPortalPage(await anotherBrowser(), server.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write', 'camera'], { origin: server.url })
  const pin = await openPortal(creator)
  await expect(creator.getByText('Waiting for another device to join')).toBeVisible()
  await expect(creator.getByText('Scan to join instantly')).toBeVisible()
  await creator.getByRole('button', { name: 'Copy PIN' }).click()
  await expect.poll(() => creator.evaluate(() => navigator.clipboard.readText())).toBe(pin)
  const code = creator.getByRole('img', { name: 'Scan to join instantly' })
  expect(await code.getAttribute('width')).toBe('200')
  expect(await readQrParameters(creator)).toEqual({ level: 'M', margin: 2 })

  await joinPortal(joiner, pin)

  await expect(creator.getByText('Device Connected!')).toBeVisible()
  await expect(creator.getByText('Scan to join instantly')).toHaveCount(0)
  await expect(joiner.getByRole('heading', { name: 'Connected to Portal' })).toBeVisible()
  await expect(joiner.getByText('Ready to send or receive files')).toBeVisible()
  await expect(joiner.locator('.pin-plates')).toHaveText(pin)
  for (const page of [creator, joiner]) {
    await expect(page.getByRole('heading', { name: 'Portal Connected' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send File' })).toBeEnabled()
  }
})

/** Decodes margin and error correction level from the dark cells and the format bits next to the finder pattern. */
async function readQrParameters(page: Page): Promise<{ level: string; margin: number }> {
  const path = (await page.locator('.qr-code path').getAttribute('d')) ?? ''
  const cells = [...path.matchAll(/M(\d+) (\d+)h/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
  const margin = Math.min(...cells.flat())
  const isDark = (x: number, y: number) => cells.some(([left, top]) => left === margin + x && top === margin + y)
  // The format mask of all codes inverts the first of the two level bits.
  const bits = `${isDark(0, 8) ? 0 : 1}${isDark(1, 8) ? 1 : 0}`
  return { level: { '00': 'M', '01': 'L', '10': 'H', '11': 'Q' }[bits] ?? bits, margin }
}

test('POR-09 SHL-04 closing a portal returns both users to the menu', async ({ page, anotherBrowser, server }) => {
  await page.context().grantPermissions(['camera'], { origin: server.url })
  await openNewAccount(page)
  await page.getByRole('link', { name: 'Portal' }).click()
  const visitor = await openPortalPage(await anotherBrowser(), server.url)
  await connect(page, visitor)
  await expect(page.getByRole('link', { name: 'Portal' })).toHaveAttribute('aria-current', 'page')

  await visitor.getByRole('button', { name: 'Close Portal' }).click()

  await expect(page.getByRole('button', { name: 'Create Portal' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(visitor.getByRole('tab', { name: 'Sign In' })).toBeVisible()
})
