import { messages } from '@sallyport/contract/messages'
import { createAccount } from '../support/account.ts'
import { expect, test } from '../support/journey.ts'
import { deleteAllMessages, messageCards, messageInput, openChat, sendMessage } from '../support/messages.ts'
import { signIn, signUp } from '../support/people.ts'
import { expectShownFor, stepUntilVisible, stopTime } from '../support/stopped-time.ts'

const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 860 }

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
  await deleteAllMessages(page)
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
