import type { Page } from '@playwright/test'
import { messages } from '@sallyport/contract/messages'
import { createAccount } from '../../support/account/account.ts'
import { openFiles, openNewAccount } from '../../support/account/open-files.ts'
import { expectShownFor, pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { expect, test } from '../../support/journey.ts'
import { deleteAllMessages, messageCards, messageInput, openChat, sendMessage } from '../../support/messages.ts'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 860 }

test('CHT-05 an empty message is not sent, nor a second one while the first is pending', async ({ page }) => {
  await openNewAccount(page)
  await openChat(page)
  const send = page.getByRole('button', { name: 'Send', exact: true })
  let postCount = 0
  const released = Promise.withResolvers<void>()
  await page.route('**/api/messages', async (route) => {
    if (route.request().method() === 'POST') {
      postCount += 1
      await released.promise
    }
    await route.continue()
  })

  await expect(send).toBeDisabled()
  await messageInput(page).fill(' \n\t ')
  await expect(send).toBeDisabled()
  await messageInput(page).press('Control+Enter')
  expect(postCount).toBe(0)

  await messageInput(page).fill('once')
  await send.click()
  await expect(messageCards(page).filter({ hasText: 'once' })).toBeVisible()
  await expect(messageCards(page).getByText('Sending…')).toBeVisible()
  await messageInput(page).fill('twice')
  await expect(send).toBeDisabled()
  await messageInput(page).press('Control+Enter')
  expect(postCount).toBe(1)
  released.resolve()
  await expect(send).toBeEnabled()
  await expect(messageInput(page)).toHaveValue('twice')
  await expect(messageCards(page)).toHaveCount(1)
})

test('CHT-04 a message that fails to send shows an error for 3 seconds and its text is restored', async ({ page }) => {
  await page.clock.install()
  await openNewAccount(page)
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
    { size: desktop, line: 'Failed to send message: 413 Payload Too Large', press: 'Control+Enter' },
    { size: phone, line: 'Error: Failed to send message: 413 Payload Too Large', press: 'Enter' },
  ]) {
    await page.setViewportSize(size)
    await messageInput(page).fill('not to be lost')
    await pauseClock(page)
    await messageInput(page).press(press)
    await stepUntilVisible(page.getByRole('alert').getByText(line, { exact: true }))
    await expect(page.getByRole('alert')).toContainText('There are too many messages. Delete some first.')
    await expect(messageInput(page)).toHaveValue('not to be lost')
    await expect(messageCards(page)).toHaveCount(0)
    await expectShownFor(page.getByRole('alert'), 3000)
    await page.clock.resume()
  }
})

/** Stores the messages of the first attempts, but loses the responses. */
const loseResponses = (page: Page, attempts: number) =>
  page.route(
    '**/api/messages',
    async (route) => {
      if (route.request().method() === 'POST') await route.fetch()
      await route.abort('connectionreset')
    },
    { times: attempts },
  )

test('CHT-04 a message whose response was lost is repeated at once, and stored once', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await openFiles(page, account)
  await openChat(page)
  await loseResponses(page, 1)
  const repeated = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok())

  await messageInput(page).fill('only once')
  await messageInput(page).press('Control+Enter')
  await repeated

  await expect(messageCards(page)).toHaveCount(1)
  await expect(messageInput(page)).toHaveValue('')
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(await account.call(messages.list, {})).toHaveLength(1)
})

test('CHT-04 a message that fails after 3 lost responses is retried unchanged and stored once', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await openFiles(page, account)
  await openChat(page)
  await loseResponses(page, 3)

  await messageInput(page).fill('only once')
  await messageInput(page).press('Control+Enter')
  await expect(page.getByRole('alert')).toContainText('Failed to send message: Can’t reach the server.')
  await expect(messageInput(page)).toHaveValue('only once')
  await messageInput(page).press('Control+Enter')

  await expect(messageInput(page)).toHaveValue('')
  await expect(messageCards(page)).toHaveCount(1)
  expect(await account.call(messages.list, {})).toHaveLength(1)
})

test('CHT-04 a failed fetch or delete shows the error of each screen and can be retried', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await sendMessage(account, 'stays')
  await openFiles(page, account)
  const failRequests = (method: string) =>
    page.route('**/api/messages**', (route) =>
      route.request().method() === method ? route.fulfill({ status: 418, body: '' }) : route.continue(),
    )
  await failRequests('GET')
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
  await page.setViewportSize(desktop)
  await page.route('**/api/messages/*', (route) => route.fulfill({ status: 418, body: '' }))
  await messageCards(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to delete message: 418')
  await expect(messageCards(page)).toHaveCount(1)
})

for (const status of [401, 403]) {
  test(`CHT-04 a ${status} on a chat call ends the sign-in with a message`, async ({ page }) => {
    await page.setViewportSize(phone)
    await openNewAccount(page)
    await openChat(page)
    const errorBody = { success: false, error: 'no', code: status === 401 ? 'SESSION_EXPIRED' : 'FORBIDDEN' }
    await page.route('**/api/messages', (route) => route.fulfill({ status, json: errorBody }))

    await messageInput(page).fill('too late')
    await messageInput(page).press('Enter')

    await expect(page.getByRole('alertdialog')).toContainText('Your session has expired. Please log in again.')
    await page.getByRole('button', { name: 'OK' }).click()
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  })
}
