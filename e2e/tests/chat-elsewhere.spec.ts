import { createAccount } from '../support/account.ts'
import { expect, test } from '../support/journey.ts'
import {
  deleteAllMessages,
  messageCards,
  messageInput,
  openChat,
  sendMessage,
  shownTexts,
} from '../support/messages.ts'
import { signIn } from '../support/people.ts'

const phone = { width: 390, height: 844 }

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
  await deleteAllMessages(elsewhere)
  for (const other of [page, tab]) await expect(other.getByText('No messages yet')).toBeVisible()
})

test('CHT-04 without a live channel the list is asked for every ten seconds, and with one it is not', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  let asked = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().endsWith('/api/messages/page')) asked += 1
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
