import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { expect, test } from '../../support/journey.ts'
import {
  deleteAllMessages,
  messageCards,
  messageInput,
  openChat,
  sendMessage,
  shownTexts,
} from '../../support/messages.ts'

const phone = { width: 390, height: 844 }

test('CHT-04 messages appear and disappear in another tab and in another browser', async ({
  page,
  context,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  await openFiles(page, account)
  await openChat(page)
  const tab = await context.newPage()
  await tab.goto('/?tab=chat')
  const otherDevice = await (await anotherBrowser({ baseURL: server.url, viewport: phone })).newPage()
  await openFiles(otherDevice, account)
  await openChat(otherDevice)
  const others = [tab, otherDevice]
  for (const other of others) await expect(other.getByText('No messages yet')).toBeVisible()
  await sendMessage(account, 'news 0')
  for (const other of others) await expect(messageCards(other)).toHaveCount(1)

  for (let sent = 1; sent <= 7; sent += 1) {
    await messageInput(page).fill(`news ${sent}`)
    // Other screens may show the message before its sender has the response.
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
    await messageInput(page).press('Control+Enter')
    for (const other of others) await expect(messageCards(other).filter({ hasText: `news ${sent}` })).toBeVisible()
  }
  expect(await shownTexts(otherDevice)).toEqual((await shownTexts(tab)).toReversed())

  await messageCards(page).first().getByRole('button', { name: 'Delete' }).click()
  for (const other of others) await expect(messageCards(other)).toHaveCount(7)
  await deleteAllMessages(otherDevice)
  for (const other of [page, tab]) await expect(other.getByText('No messages yet')).toBeVisible()
})

test('CHT-04 without a live channel the list is polled every 10 seconds', async ({ page, server }) => {
  const account = await createAccount(server.url)
  let requestCount = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().endsWith('/api/messages/page')) requestCount += 1
  })
  await page.clock.install()
  await page.routeWebSocket(/\/api\/live/, (socket) => socket.close())
  await openFiles(page, account)
  await openChat(page)
  await expect(page.getByText('No messages yet')).toBeVisible()
  await sendMessage(account, 'polled')

  const requestCountBefore = requestCount
  await page.clock.runFor(10_500)
  await expect(messageCards(page).filter({ hasText: 'polled' })).toBeVisible()
  expect(requestCount - requestCountBefore).toBeGreaterThanOrEqual(1)
  expect(requestCount - requestCountBefore).toBeLessThanOrEqual(2)
})
