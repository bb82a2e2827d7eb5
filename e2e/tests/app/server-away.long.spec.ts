import { createAccount } from '../../support/account/account.ts'
import { openNewAccount } from '../../support/account/open-files.ts'
import { expectFiles, signInRemembered } from '../../support/account/users.ts'
import { areas } from '../../support/areas.ts'
import { expect, test } from '../../support/network/proxied-journey.ts'

test('ACC-10 a reload while the configuration cannot be fetched keeps the sign-in and a remembered device', async ({
  page,
  context,
  server,
}) => {
  const account = await createAccount(server.url)
  await signInRemembered(page, account)
  let failures = 0
  await context.route('**/api/config', (route) => {
    failures += 1
    return failures <= 5 ? route.abort() : route.continue()
  })

  const another = await context.newPage()
  await page.close()
  await another.goto('/')

  await expect(another.getByText(/^Can’t reach the server\. You stay signed in/)).toBeVisible()
  await expect(another.getByRole('tab', { name: 'Sign In' })).toHaveCount(0)
  await expectFiles(another)
  expect(failures).toBe(6)
})

test('other screens are loaded while the page is idle, and open at once while offline', async ({ page, context }) => {
  const loaded = Promise.all(
    ['chat-page', 'portal-area', 'sessions-page', 'settings', 'share-sheet', 'media-overlay'].map((part) =>
      page.waitForEvent('requestfinished', (request) => request.url().includes(`/assets/${part}-`)),
    ),
  )
  await openNewAccount(page)
  await loaded
  await context.setOffline(true)

  await areas(page).getByRole('link', { name: 'Chat' }).click()
  await expect(page.getByRole('heading', { name: 'Chat', exact: true })).toBeVisible()
  await areas(page).getByRole('link', { name: 'Sessions' }).click()
  await expect(page.getByRole('heading', { name: 'Sessions', exact: true })).toBeVisible()
})
