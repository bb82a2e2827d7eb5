import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { accounts } from '@sallyport/contract/accounts'
import { messages } from '@sallyport/contract/messages'
import { createAccount } from '../support/account.ts'
import { expectAccessible } from '../support/expect-accessible.ts'
import { expect, test } from '../support/journey.ts'
import { messageCards, messageInput, openChat, sendMessage, shownTexts, storeMessages } from '../support/messages.ts'
import { needlesOf } from '../support/needles.ts'
import { expectFiles, fillSignIn, signIn, signUp } from '../support/people.ts'
import { startRecordingProxy } from '../support/recording-proxy.ts'
import { expectShownFor, stepUntilVisible, stopTime } from '../support/stopped-time.ts'
import { sweep } from '../support/sweep.ts'

const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 860 }
const longText = 'a line that is one of many\n'.repeat(6)

test('CHT-02 on a desk, messages are sent with Ctrl+Enter or the button, newest first, and copied and deleted one by one', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signUp(page)
  await openChat(page)
  await expect(page.getByText('No messages yet')).toBeVisible()
  await expect(page.getByText('Send a message to see it here')).toBeVisible()
  await expect(page.getByText('Ctrl+Enter sends')).toBeVisible()

  await messageInput(page).fill('first\nof two lines')
  await messageInput(page).press('Enter')
  await expect(messageInput(page)).toHaveValue('first\nof two lines\n')
  await messageInput(page).press('Control+Enter')
  await expect(messageCards(page)).toHaveCount(1)
  await expect(messageInput(page)).toBeFocused()
  await messageInput(page).fill('second')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(messageCards(page)).toHaveCount(2)
  await expect(messageCards(page).first().getByText('Gone in 5 min')).toBeVisible()
  expect(await shownTexts(page)).toEqual(['second', 'first\nof two lines'])
  await expect(page.getByText('No messages yet')).toBeHidden()

  await messageCards(page).last().getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Message copied!')).toBeVisible()
  expect(await clipboard(page)).toBe('first\nof two lines')
  await page.getByRole('button', { name: 'Copy All' }).click()
  await expect(page.getByText('All messages copied!')).toBeVisible()
  expect(await clipboard(page)).toBe('first\nof two lines\n\nsecond')
  await expect(page.getByText('All messages copied!')).toBeHidden()

  await messageCards(page).first().getByRole('button', { name: 'Delete' }).click()
  await expect(messageCards(page)).toHaveCount(1)
  await page.reload()
  await expect(messageCards(page)).toHaveCount(1)
  expect(await shownTexts(page)).toEqual(['first\nof two lines'])
})

test('CHT-02 SHL-12 a long message is cut to two lines, shown whole on demand and cut again', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await sendMessage(account, 'short')
  await sendMessage(account, longText)
  await signIn(page, account)
  await openChat(page)
  const [long, short] = [messageCards(page).first(), messageCards(page).last()]
  const text = long.locator('p')
  const lines = () =>
    text.evaluate((element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight))

  await expect(long.getByRole('button', { name: 'Show more' })).toBeVisible()
  expect(await lines()).toBeCloseTo(2, 1)
  await expect(short.getByRole('button', { name: 'Show more' })).toBeHidden()

  await long.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(lines).toBeCloseTo(6, 0)
  await long.getByRole('button', { name: 'Show less' }).click()
  await expect.poll(lines).toBeCloseTo(2, 1)
})

test('CHT-03 SHL-11 on a phone, the oldest is first and the newest in view, Enter sends, Shift+Enter adds a line, and all go at once', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const account = await createAccount(server.url)
  for (let sent = 1; sent <= 12; sent += 1) await sendMessage(account, `message ${sent}`)
  await page.setViewportSize(phone)
  await signIn(page, account)
  await openChat(page)
  await expect(messageCards(page)).toHaveCount(12)
  await expect(messageCards(page).last()).toBeInViewport({ ratio: 1 })
  await expect(messageCards(page).first()).not.toBeInViewport()
  expect((await shownTexts(page))[0]).toBe('message 1')

  await messageInput(page).fill('one')
  await messageInput(page).press('Shift+Enter')
  await messageInput(page).pressSequentially('two')
  await messageInput(page).press('Enter')
  await expect(messageCards(page)).toHaveCount(13)
  await expect(messageCards(page).last()).toBeInViewport({ ratio: 1 })
  await expect(messageCards(page).last().locator('p')).toHaveText('one\ntwo')
  await expect(messageInput(page)).toHaveValue('')

  await messageCards(page).last().getByRole('button', { name: /^Copy/ }).click()
  await expect(page.getByText('Message copied!')).toBeVisible()
  expect(await clipboard(page)).toBe('one\ntwo')
  await messageCards(page)
    .last()
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(messageCards(page)).toHaveCount(12)
  await page.getByRole('button', { name: 'Copy All' }).click()
  await expect(page.getByText('All messages copied!')).toBeVisible()
  expect((await clipboard(page)).split('\n\n')).toHaveLength(12)

  await page.getByRole('button', { name: 'Delete All' }).click()
  await expect(page.getByText('No messages yet')).toBeVisible()
  expect(await account.call(messages.list, {})).toEqual([])
  await expect(page.getByRole('button', { name: 'Delete All' })).toBeDisabled()
})

test('SHL-12 on a small screen the box grows from 44 to 120 pixels and shrinks again', async ({ page }) => {
  await page.setViewportSize(phone)
  await signUp(page)
  await openChat(page)
  const height = async () => (await messageInput(page).boundingBox())?.height

  await expect.poll(height).toBe(44)
  await messageInput(page).fill('one\ntwo')
  await expect.poll(height).toBeGreaterThan(44)
  expect(await height()).toBeLessThan(120)
  await messageInput(page).fill('line\n'.repeat(30))
  await expect.poll(height).toBe(120)
  await messageInput(page).fill('')
  await expect.poll(height).toBe(44)
})

test('CHT-05 nothing is sent while there is nothing to send, or while another message is on its way', async ({
  page,
}) => {
  await signUp(page)
  await openChat(page)
  const send = page.getByRole('button', { name: 'Send', exact: true })
  let posted = 0
  const held = Promise.withResolvers<void>()
  await page.route('**/api/messages', async (route) => {
    if (route.request().method() === 'POST') {
      posted += 1
      await held.promise
    }
    await route.continue()
  })

  await expect(send).toBeDisabled()
  await messageInput(page).fill(' \n\t ')
  await expect(send).toBeDisabled()
  await messageInput(page).press('Control+Enter')
  expect(posted).toBe(0)

  await messageInput(page).fill('once')
  await send.click()
  await expect(messageCards(page).filter({ hasText: 'once' })).toBeVisible()
  await expect(messageCards(page).getByText('Sending…')).toBeVisible()
  await messageInput(page).fill('twice')
  await expect(send).toBeDisabled()
  await messageInput(page).press('Control+Enter')
  expect(posted).toBe(1)
  held.resolve()
  await expect(send).toBeEnabled()
  await expect(messageInput(page)).toHaveValue('twice')
  await expect(messageCards(page)).toHaveCount(1)
})

test('CHT-04 a message that cannot be sent is told in words for three seconds, and its text is given back', async ({
  page,
}) => {
  await page.clock.install()
  await signUp(page)
  await openChat(page)
  const failure = {
    success: false,
    error: 'There are too many messages. Delete some first.',
    code: 'TOO_MANY_MESSAGES',
  }
  await page.route('**/api/messages', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 413, json: failure }) : route.continue(),
  )

  for (const { size, line, press } of [
    { size: desk, line: 'Failed to send message: 413 Payload Too Large', press: 'Control+Enter' },
    { size: phone, line: 'Error: Failed to send message: 413 Payload Too Large', press: 'Enter' },
  ]) {
    await page.setViewportSize(size)
    await messageInput(page).fill('not to be lost')
    await stopTime(page)
    await messageInput(page).press(press)
    await stepUntilVisible(page.getByRole('alert').getByText(line, { exact: true }))
    await expect(page.getByRole('alert')).toContainText('There are too many messages. Delete some first.')
    await expect(messageInput(page)).toHaveValue('not to be lost')
    await expect(messageCards(page)).toHaveCount(0)
    await expectShownFor(page.getByRole('alert'), 3000)
    await page.clock.resume()
  }
})

test('CHT-04 a message whose answer was lost is sent again as it was, and kept once', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await openChat(page)
  await page.route(
    '**/api/messages',
    async (route) => {
      if (route.request().method() === 'POST') await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )

  await messageInput(page).fill('only once')
  await messageInput(page).press('Control+Enter')
  await expect(page.getByRole('alert')).toContainText('Failed to send message: The server cannot be reached.')
  await expect(messageInput(page)).toHaveValue('only once')
  await messageInput(page).press('Control+Enter')

  await expect(messageInput(page)).toHaveValue('')
  await expect(messageCards(page)).toHaveCount(1)
  expect(await account.call(messages.list, {})).toHaveLength(1)
})

test('CHT-04 what cannot be fetched or deleted is told in the words of each screen, and comes back', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await sendMessage(account, 'stays')
  await signIn(page, account)
  const refuse = (method: string) =>
    page.route('**/api/messages**', (route) =>
      route.request().method() === method ? route.fulfill({ status: 418, body: '' }) : route.continue(),
    )
  await refuse('GET')
  await openChat(page)
  await expect(page.getByRole('alert')).toContainText('Failed to fetch messages')
  await page.setViewportSize(phone)
  await expect(page.getByRole('alert')).toContainText('Error: Failed to fetch messages')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(messageCards(page)).toHaveCount(1)

  await page.route('**/api/messages**', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 418, body: '' }) : route.continue(),
  )
  await page.getByRole('button', { name: 'Delete All' }).click()
  await expect(page.getByRole('alert')).toHaveText('Error: Failed to delete all messages')
  await expect(messageCards(page)).toHaveCount(1)
  await page.setViewportSize(desk)
  await page.route('**/api/messages/*', (route) => route.fulfill({ status: 418, body: '' }))
  await messageCards(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to delete message: 418')
  await expect(messageCards(page)).toHaveCount(1)
})

for (const status of [401, 403]) {
  test(`CHT-04 a ${status} on a chat call ends the sign-in, and says so`, async ({ page }) => {
    await page.setViewportSize(phone)
    await signUp(page)
    await openChat(page)
    const refusal = { success: false, error: 'no', code: status === 401 ? 'SESSION_EXPIRED' : 'FORBIDDEN' }
    await page.route('**/api/messages', (route) => route.fulfill({ status, json: refusal }))

    await messageInput(page).fill('too late')
    await messageInput(page).press('Enter')

    await expect(page.getByRole('alertdialog')).toContainText('Your session has expired. Please log in again.')
    await page.getByRole('button', { name: 'OK' }).click()
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  })
}

test('CHT-04 a message is there at once in another tab and in another browser, and goes there at once', async ({
  page,
  context,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await openChat(page)
  const tab = await context.newPage()
  await tab.goto('/?tab=chat')
  const elsewhere = await (await anotherBrowser({ baseURL: server.url, viewport: phone })).newPage()
  await signIn(elsewhere, account)
  await openChat(elsewhere)
  const others = [tab, elsewhere]
  for (const other of others) await expect(other.getByText('No messages yet')).toBeVisible()
  await sendMessage(account, 'news 0')
  for (const other of others) await expect(messageCards(other)).toHaveCount(1)

  const waits: number[] = []
  for (let sent = 1; sent <= 7; sent += 1) {
    await messageInput(page).fill(`news ${sent}`)
    // The message may be on the other screens before its sender has heard so.
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
    const sentAt = Date.now()
    await messageInput(page).press('Control+Enter')
    await Promise.all(
      others.map(async (other) => {
        await messageCards(other)
          .filter({ hasText: `news ${sent}` })
          .waitFor()
        waits.push(Date.now() - sentAt)
      }),
    )
  }
  const median = waits.sort((one, other) => one - other)[Math.floor(waits.length / 2)] ?? 0
  console.log(`a message was on the other screens after ${median} ms (median of ${waits.length})`)
  expect(median).toBeLessThan(2000)
  expect(await shownTexts(elsewhere)).toEqual((await shownTexts(tab)).toReversed())

  await messageCards(page).first().getByRole('button', { name: 'Delete' }).click()
  for (const other of others) await expect(messageCards(other)).toHaveCount(7)
  await elsewhere.getByRole('button', { name: 'Delete All' }).click()
  for (const other of [page, tab]) await expect(other.getByText('No messages yet')).toBeVisible()
})

test('CHT-04 without a live channel the list is asked for every ten seconds, and with one it is not', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  let asked = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().endsWith('/api/messages')) asked += 1
  })
  await page.clock.install()
  await page.routeWebSocket(/\/api\/live/, (socket) => socket.close())
  await signIn(page, account)
  await openChat(page)
  await expect(page.getByText('No messages yet')).toBeVisible()
  await sendMessage(account, 'polled')

  const before = asked
  await page.clock.runFor(10_500)
  await expect(messageCards(page).filter({ hasText: 'polled' })).toBeVisible()
  expect(asked - before).toBeGreaterThanOrEqual(1)
  expect(asked - before).toBeLessThanOrEqual(2)
})

test('CHT-01 CHT-02 a message says to the second when it is gone, and is gone then from the screen and from the server', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.call(accounts.saveSettings, { body: { defaultExpirationMinutes: 1 } })
  await page.clock.install()
  await signIn(page, account)
  await openChat(page)
  await messageInput(page).fill('soon gone')
  await messageInput(page).press('Control+Enter')
  await expect(messageCards(page).getByText(/^Gone in (60|5\d) s$/)).toBeVisible()
  const [{ expiresAt } = { expiresAt: 0 }] = await account.call(messages.list, {})

  await page.clock.pauseAt(expiresAt - 6000)
  await page.clock.runFor(1000)
  await expect(messageCards(page).getByText(/^Gone in [45] s$/)).toBeVisible()
  await page.clock.runFor(6000)
  await expect(page.getByText('No messages yet')).toBeVisible()

  await server.setClock(61_000)
  expect(await account.call(messages.list, {})).toEqual([])
})

test('SHL-03 the area that was shown last is shown again, and each has an address of its own', async ({ page }) => {
  await signUp(page)
  await expect(page.getByRole('link', { name: 'Files', exact: true })).toHaveAttribute('aria-current', 'page')
  await openChat(page)

  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Chat', exact: true })).toBeVisible()
  await expect(page).toHaveTitle('Chat · Sallyport')
  await page.getByRole('link', { name: 'Files', exact: true }).click()
  await expectFiles(page)
  await page.goto('/dashboard')
  await expectFiles(page)

  await page.goto('/?tab=chat')
  await messageInput(page).fill('a draft')
  await page.getByRole('link', { name: 'Files', exact: true }).click()
  await expectFiles(page)
  await page.goBack()
  await expect(messageInput(page)).toHaveValue('a draft')
})

test('CHT-01 a message that this account’s key does not open says so and can be deleted; one from another clock says that', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const stranger = { ...account, accountKey: new Uint8Array(32).fill(7) }
  await sendMessage(stranger, 'sealed under another key')
  await sendMessage(account, 'from yesterday', Date.now() - 24 * 3_600_000)
  await signIn(page, account)
  await openChat(page)

  const unreadable = messageCards(page).filter({ hasText: 'This message cannot be opened with your key.' })
  await expect(unreadable.getByRole('button', { name: 'Copy' })).toBeDisabled()
  await expect(messageCards(page).getByText('by the clock of the device it came from')).toBeVisible()
  await page.setViewportSize(phone)
  for (const card of await messageCards(page).all()) {
    const { x, width } = (await card.boundingBox()) ?? { x: 0, width: 0 }
    expect(x + width).toBeLessThan(phone.width)
  }
  await unreadable.getByRole('button', { name: /^Delete/ }).click()
  await expect(messageCards(page)).toHaveCount(1)
})

test('CHT-01 500 messages stay smooth: typing among them never holds up the page', async ({ page, server }) => {
  test.setTimeout(240_000)
  const account = await createAccount(server.url)
  await signIn(page, account)
  await openChat(page)
  await expect(page.getByText('No messages yet')).toBeVisible()
  const type = () => messageInput(page).pressSequentially('typed among many '.repeat(2), { delay: 40 })
  const roundsOf = async () => [await heldUpMs(page, type), await heldUpMs(page, type), await heldUpMs(page, type)]
  const alone = await roundsOf()
  await storeMessages(
    server,
    account,
    Array.from({ length: 500 }, (_, index) => `${index} ${longText}`),
  )
  await page.reload()
  await expect(messageCards(page)).toHaveCount(500, { timeout: 60_000 })

  const among = await roundsOf()
  console.log(`typing holds the page up for ${alone.join(', ')} ms, among 500 messages for ${among.join(', ')} ms`)

  // Where the machine itself is slow, or busy with other things, typing into an empty chat shows it.
  expect(Math.min(...among)).toBeLessThan(Math.max(50, 3 * Math.min(...alone)))
})

test('the chat is accessible empty and filled, unreadable messages among them, in both themes and sizes', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await openChat(page)
  await expect(page.getByText('No messages yet')).toBeVisible()
  await expectAccessible(page, 'empty')

  await sendMessage(account, 'Gate code for Saturday is 4471. Delete after you have it.')
  await sendMessage(account, longText)
  await sendMessage({ ...account, accountKey: new Uint8Array(32).fill(7) }, 'sealed under another key')
  await expect(messageCards(page)).toHaveCount(3)
  await messageInput(page).fill('a draft')
  await expectAccessible(page, 'filled')
})

/** The longest time for which the page comes to nothing else while this is done, in whole milliseconds. */
async function heldUpMs(page: Page, work: () => Promise<void>): Promise<number> {
  const watch = await page.evaluateHandle(() => {
    let last = performance.now()
    let longest = 0
    const look = () => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }
    const timer = setInterval(look, 1)
    return () => {
      clearInterval(timer)
      look()
      return Math.round(longest)
    }
  })
  await work()
  return watch.evaluate((stop) => stop())
}

test('T162 CHT-01 no word of a message is found in what travelled, was stored or was logged', async ({
  page,
  folder,
  server,
}) => {
  const captures = join(folder, 'captures')
  mkdirSync(captures)
  const wire = await startRecordingProxy(server.url, join(captures, 'wire'))
  const account = await createAccount(server.url)
  const text = `the gate code is ${randomBytes(12).toString('base64url')}`
  await page.goto(`${wire.url}/`)
  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)
  await openChat(page)
  await messageInput(page).fill(text)
  await messageInput(page).press('Control+Enter')
  await expect(messageCards(page).getByText(/^Gone in/)).toBeVisible()
  await page.reload()
  await expect(messageCards(page)).toHaveCount(1)
  const [kept] = await account.call(messages.list, {})
  await server.kill()
  await wire.close()
  writeFileSync(join(captures, 'server.log'), server.log())
  const places = [server.dataFolder, captures]

  expect(sweep(places, needlesOf({ name: 'text', bytes: Buffer.from(text) }))).toEqual([])

  // What is looked through must be the real thing: the sealed text has to be in both.
  const sealed = needlesOf({ name: 'sealed text', bytes: Buffer.from(kept?.encryptedContent ?? '') })
  const found = sweep(
    places,
    sealed.filter(({ form }) => form === 'raw'),
  ).map(({ file }) => file)
  expect(found.some((file) => file.includes('sallyport.db'))).toBe(true)
  expect(found.some((file) => file.endsWith('-sent.bin'))).toBe(true)
})

const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
