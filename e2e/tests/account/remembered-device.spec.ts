import type { BrowserContext, Page, Route } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { countRememberedDevices, expectFiles, signInRemembered } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'
import { messageCards, messageInput, openChat } from '../../support/messages.ts'

test('ACC-11 a remembered device whose share gets no answer waits for the server and unlocks by itself', async ({
  page,
  context,
  server,
}) => {
  await signInRemembered(page, await createAccount(server.url))
  let failures = 0
  await context.route('**/api/device-unlock', (route) => {
    failures += 1
    return failures <= 3 ? route.abort() : route.continue()
  })

  const another = await openAgain(page, context)

  await expect(another.getByText(/^Can’t reach the server\. You stay signed in/)).toBeVisible()
  await expectFiles(another)
  await expect(another.getByRole('heading', { name: 'Unlock your files' })).toHaveCount(0)
  expect(failures).toBe(4)
})

test('ACC-11 only the server makes this browser forget a remembered device, not a 404 or 401 of a proxy', async ({
  page,
  context,
  server,
}) => {
  await signInRemembered(page, await createAccount(server.url))
  let opened = page
  for (const status of [404, 401]) {
    const answerAsProxy = (route: Route) =>
      route.fulfill({ status, contentType: 'text/html', body: '<h1>a proxy in between</h1>' })
    await context.route('**/api/device-unlock', answerAsProxy)
    opened = await openAgain(opened, context)
    await expect(opened.getByRole('heading', { name: 'Unlock your files' })).toBeVisible()
    expect(await countRememberedDevices(opened)).toBe(1)
    await context.unroute('**/api/device-unlock')
    opened = await openAgain(opened, context)
    await expectFiles(opened)
  }

  await context.route('**/api/device-unlock', (route) =>
    route.fulfill({ status: 404, json: { success: false, code: 'DEVICE_NOT_REMEMBERED', error: 'no' } }),
  )
  opened = await openAgain(opened, context)
  await expect(opened.getByRole('heading', { name: 'Unlock your files' })).toBeVisible()
  expect(await countRememberedDevices(opened)).toBe(0)
})

test('ACC-13 a 401 or 403 that a proxy answers in place of the server does not end the sign-in', async ({
  page,
  server,
}) => {
  await signInRemembered(page, await createAccount(server.url))
  await openChat(page)
  for (const status of [401, 403]) {
    await page.route('**/api/messages', (route) =>
      route.fulfill({ status, contentType: 'text/html', body: '<h1>Sign in to the network</h1>' }),
    )
    await messageInput(page).fill('not sent yet')
    await messageInput(page).press('Control+Enter')
    await expect(page.getByRole('alert')).toContainText(`Failed to send message: ${status}`)
    await expect(messageInput(page)).toHaveValue('not sent yet')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await page.unroute('**/api/messages')
  }

  await messageInput(page).press('Control+Enter')
  await expect(messageCards(page)).toHaveCount(1)
  await expect(messageInput(page)).toHaveValue('')
})

/** Opens the app in a new tab, which has no keys of its own. */
async function openAgain(page: Page, context: BrowserContext): Promise<Page> {
  const another = await context.newPage()
  await page.close()
  await another.goto('/')
  return another
}
