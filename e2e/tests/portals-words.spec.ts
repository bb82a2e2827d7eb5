import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { dropFiles } from '../support/drop-files.ts'
import { expect, test } from '../support/journey.ts'
import { signUp } from '../support/people.ts'
import { atPortal, closeDirectWays, connect, direct, joinPortal, openPortal } from '../support/portals.ts'
import { startServer } from '../support/server.ts'
import { answerSignals } from '../support/silent-signals.ts'
import { expectShownFor, stepUntilVisible, stopTime } from '../support/stopped-time.ts'

test.use({ launchOptions: direct })

const create = (page: Page) => page.getByRole('button', { name: 'Create Portal' }).click()
const join482913 = (page: Page) => joinPortal(page, '482913')
const created = { type: 'room-created', roomCode: '48', peerId: 'a', px: { v: 2, digits: 4, resume: 'r' } }
const located = (n: string) => ({ type: 'px-located', result: 'v2', n })

/** The banner says this, and goes when it is asked to. */
async function expectTrouble(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('alert').getByText(text, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Create Portal' })).toBeVisible()
}

test('POR-07 whatever keeps two devices from meeting is told in a banner over the menu, in its own words', async ({
  page,
}) => {
  await page.clock.install()
  const signals = await answerSignals(page)
  await signUp(page)
  await page.getByRole('link', { name: 'Portal' }).click()

  await stopTime(page)
  await create(page)
  await stepUntilVisible(page.getByText('Connecting...'))
  await expect(page.getByText('Setting up secure connection')).toBeVisible()
  await page.clock.runFor(29_000)
  await expect(page.getByText('Connecting...')).toBeVisible()
  await page.clock.runFor(2000)
  await page.clock.resume()
  await expectTrouble(page, 'Room creation timeout')
  await join482913(page)
  await expect(page.getByText('Connecting...')).toBeVisible()
  await page.clock.fastForward(31_000)
  await expectTrouble(page, 'Room join timeout')

  signals.reply = () => [{ type: 'room-error', error: 'Room creation failed' }]
  await create(page)
  await expectTrouble(page, 'Room creation failed')
  signals.reply = () => [created, { type: 'room-error', error: 'Unknown error' }]
  await create(page)
  await expectTrouble(page, 'Unknown error')
  signals.reply = () => 'close'
  await create(page)
  await expectTrouble(page, 'WebSocket connection failed')

  signals.reply = () => [{ type: 'px-located', result: 'none' }]
  await join482913(page)
  await expectTrouble(page, 'Failed to join room')
  signals.reply = () => [{ type: 'px-located', result: 'none', retryAfterSeconds: 45 }]
  await join482913(page)
  await expectTrouble(page, 'Too many tries. Try again in 45 seconds.')
  signals.reply = ({ type }) =>
    type === 'px-locate' ? [located('AAAAAAAAAAAAAAAAAAAAAA')] : [{ type: 'room-error', error: 'Failed to join room' }]
  await join482913(page)
  await expectTrouble(page, 'Failed to join portal room')

  await page.route('**/api/portals/tickets', (route) => route.abort())
  await create(page)
  await expectTrouble(page, 'Failed to create wormhole')
  await join482913(page)
  await expectTrouble(page, 'Failed to join wormhole')
})

test('POR-02 POR-07 a code of a link that leads nowhere is told in its own words, and nothing is asked for a code of five digits', async ({
  context,
  server,
}) => {
  const page = await context.newPage()
  await page.goto(`${server.url}/?join=482913`)
  await expectTrouble(page, 'Failed to join room from QR code')

  await page.route('**/api/portals/tickets', (route) => route.abort())
  await joinPortal(page, '482913')
  await expectTrouble(page, 'Failed to join portal')

  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${server.url}/?join=48291`)
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  expect(asked.filter((call) => call.includes('/api/portals'))).toEqual([])
})

test('POR-07 a device that finds no way to the other one is told so after half a minute', async ({
  context,
  anotherBrowser,
}) => {
  const server = await startServer({ environment: { RELAY: 'off' } })
  const other = await anotherBrowser()
  for (const one of [context, other]) await closeDirectWays(one)
  await other.clock.install()
  const creator = await atPortal(context, server.url)
  const joiner = await atPortal(other, server.url)
  const answered = joiner
    .waitForEvent('websocket')
    .then((socket) =>
      socket.waitForEvent('framesent', { predicate: ({ payload }) => String(payload).includes('webrtc-answer') }),
    )
  await joinPortal(joiner, await openPortal(creator))
  await answered

  await joiner.clock.fastForward(31_000)

  await expectTrouble(joiner, 'Connection timeout. Please try reconnecting both devices.')
  await server.stop()
})

test('POR-07 files that are dropped where nobody is connected are refused in words that go after five seconds', async ({
  context,
  server,
  folder,
}) => {
  await context.clock.install()
  const page = await atPortal(context, server.url)
  const path = join(folder, 'early.txt')
  writeFileSync(path, 'early')

  const heading = page.getByRole('heading', { name: 'Create Portal' })
  await expect(heading).toBeVisible()
  await stopTime(page)
  await dropFiles(page, heading, [path])
  await stepUntilVisible(page.getByRole('alert').getByText('No active wormhole connection', { exact: true }))
  await expectShownFor(page.getByRole('alert'), 5000)
  await page.clock.resume()

  await openPortal(page)
  await stopTime(page)
  await dropFiles(page, page.getByRole('heading', { name: 'Portal Opened' }), [path])
  await page.clock.runFor(9000)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.clock.runFor(1500)
  await expect(page.getByRole('alert')).toHaveText(
    'Connection not fully established. Please wait for both devices to confirm readiness.',
  )
})

test('POR-11 who presses Enter too early reads what is missing, until the code is edited', async ({
  context,
  server,
}) => {
  const page = await atPortal(context, server.url)
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

test('POR-01 SHL-06 each screen of a portal says what the specification has it say', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await atPortal(context, server.url)
  const joiner = await atPortal(await anotherBrowser(), server.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write', 'camera'], { origin: server.url })
  const pin = await openPortal(creator)
  await expect(creator.getByText('Waiting for another device to join')).toBeVisible()
  await expect(creator.getByText('Scan to join instantly')).toBeVisible()
  await creator.getByRole('button', { name: 'Copy PIN' }).click()
  await expect.poll(() => creator.evaluate(() => navigator.clipboard.readText())).toBe(pin)
  const code = creator.getByRole('img', { name: 'Scan to join instantly' })
  expect(await code.getAttribute('width')).toBe('200')
  expect(await levelAndMargin(creator)).toEqual({ level: 'M', margin: 2 })

  await joinPortal(joiner, pin)

  await expect(creator.getByText('Device Connected!')).toBeVisible({ timeout: 30_000 })
  await expect(creator.getByText('Scan to join instantly')).toHaveCount(0)
  await expect(joiner.getByRole('heading', { name: 'Connected to Portal' })).toBeVisible()
  await expect(joiner.getByText('Ready to send or receive files')).toBeVisible()
  await expect(joiner.locator('.pin-plates')).toHaveText(pin)
  for (const page of [creator, joiner]) {
    await expect(page.getByRole('heading', { name: 'Portal Connected' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send File' })).toBeEnabled()
  }
})

/** Read from the dark cells: the second finder tells where the code begins, and two cells beside it how much it mends. */
async function levelAndMargin(page: Page): Promise<{ level: string; margin: number }> {
  const path = (await page.locator('.qr-code path').getAttribute('d')) ?? ''
  const cells = [...path.matchAll(/M(\d+) (\d+)h/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
  const margin = Math.min(...cells.flat())
  const isDark = (x: number, y: number) => cells.some(([left, top]) => left === margin + x && top === margin + y)
  // The two cells carry the level behind the pattern 10, which all codes share.
  const bits = `${isDark(0, 8) ? 0 : 1}${isDark(1, 8) ? 1 : 0}`
  return { level: { '00': 'M', '01': 'L', '10': 'H', '11': 'Q' }[bits] ?? bits, margin }
}

test('POR-09 SHL-04 who closes a portal of an account brings both back to the menu within two seconds', async ({
  page,
  anotherBrowser,
  server,
}) => {
  await page.context().grantPermissions(['camera'], { origin: server.url })
  await signUp(page, undefined, '/')
  await page.getByRole('link', { name: 'Portal' }).click()
  const visitor = await atPortal(await anotherBrowser(), server.url)
  await connect(page, visitor)
  await expect(page.getByRole('link', { name: 'Portal' })).toHaveAttribute('aria-current', 'page')

  await visitor.getByRole('button', { name: 'Close Portal' }).click()

  await expect(page.getByRole('button', { name: 'Create Portal' })).toBeVisible({ timeout: 2000 })
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(visitor.getByRole('tab', { name: 'Sign In' })).toBeVisible({ timeout: 2000 })
})
