import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { expect, test } from '../../support/journey.ts'
import { messageCards, messageInput, openChat, sendMessage } from '../../support/messages.ts'

const phone = { width: 390, height: 844 }

test('CHT-04 messages appear within 2 seconds in another tab and in another browser, in the median of 7', async ({
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

  const delaysMs: number[] = []
  for (let sent = 1; sent <= 7; sent += 1) {
    await messageInput(page).fill(`news ${sent}`)
    // Other screens may show the message before its sender has the response.
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
    const sentAt = Date.now()
    await messageInput(page).press('Control+Enter')
    await Promise.all(
      others.map(async (other) => {
        await messageCards(other)
          .filter({ hasText: `news ${sent}` })
          .waitFor()
        delaysMs.push(Date.now() - sentAt)
      }),
    )
  }
  const median = delaysMs.sort((one, other) => one - other)[Math.floor(delaysMs.length / 2)] ?? 0
  console.log(`other screens showed a message after ${median} ms (median of ${delaysMs.length})`)
  expect(median).toBeLessThan(2000)
})
