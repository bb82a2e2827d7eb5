import type { BrowserContext, Page } from '@playwright/test'
import { newEmail, newPassword } from '../../support/account/account.ts'
import { createMagicLink } from '../../support/account/admin.ts'
import { followConfirmationLink } from '../../support/account/confirmation.ts'
import { expect, test } from '../../support/account/mail-journey.ts'
import { linkInEmail } from '../../support/account/mail-server.ts'
import { choosePassword, requestRecoveryLink } from '../../support/account/recovery.ts'
import { submitChange } from '../../support/account/security.ts'
import { expectFiles, register, signIn } from '../../support/account/users.ts'

test('accounts D9 T061 a scanner opens each emailed link in a browser and uses up none', async ({
  page,
  mail,
  server,
  anotherBrowser,
}) => {
  const scanner = await anotherBrowser({ baseURL: server.url })
  const credentials = { email: newEmail(), password: newPassword() }

  await register(page, credentials)
  const confirmation = linkInEmail(await mail.nextEmailTo(credentials.email), '/auth/confirm')
  await scan(scanner, confirmation)
  await page.goto(confirmation)
  await reload(page)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.waitForURL(/\/\?verified=true/)
  await page.goto(confirmation)
  for (let visit = 0; visit < 2; visit += 1) {
    await expect(page.getByRole('heading', { name: 'Your email is already confirmed' })).toBeVisible()
    await reload(page)
  }
  await page.getByRole('link', { name: 'Go to Login' }).click()

  const recovery = await requestRecoveryLink(page, credentials.email, mail)
  await scan(scanner, recovery)
  await page.goto(recovery)
  await reload(page)
  await expect(page.getByText(credentials.email)).toBeVisible()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Set your password' })).toBeVisible()
  await reload(page)
  const password = newPassword()
  await choosePassword(page, password)
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
  await reload(page)
  await expectFiles(page)
  const elsewhere = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await elsewhere.goto(recovery)
  await expect(elsewhere.getByRole('alert')).toContainText('This link has already been used')
  await reload(elsewhere)
  await elsewhere.getByRole('button', { name: 'Send a new link' }).click()
  await expect(elsewhere.getByRole('textbox', { name: 'Email' })).toHaveValue(credentials.email)

  const email = newEmail()
  await submitChange(page, email, password)
  const newLink = linkInEmail(await mail.nextEmailTo(email), '/auth/confirm')
  await scan(scanner, newLink)
  await followConfirmationLink(page, newLink)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await reload(page)
  await expect(page.getByRole('heading', { name: 'You’ve already used this link' })).toBeVisible()
  const oldLink = linkInEmail(await mail.nextEmailTo(credentials.email), '/auth/confirm')
  await scan(scanner, oldLink)
  await followConfirmationLink(page, oldLink)
  await page.waitForURL(/\/\?verified=true/)

  const invitation = await createMagicLink(server, '--type', 'vip', '--storage-gb', '80')
  await scan(scanner, invitation)
  await page.goto(invitation)
  await reload(page)
  await page.getByRole('button', { name: 'Add to my account' }).click()
  await expect(page.getByRole('heading', { name: 'Licence added' })).toBeVisible()
  await reload(page)
  await expect(page.getByRole('alert')).toContainText('This invitation has already been used.')
  await page.getByRole('link', { name: 'Go to your files' }).click()
  await expectFiles(page)
})

test('accounts D18 D19 while the server is away a link does not fail, and works when it is back', async ({
  page,
  mail,
}) => {
  const credentials = { email: newEmail(), password: newPassword() }
  await register(page, credentials)
  const confirmation = linkInEmail(await mail.nextEmailTo(credentials.email), '/auth/confirm')

  await setAway(page, '**/api/emailed-link-status')
  await page.goto(confirmation)
  await expectUnanswered(page, 'Couldn’t verify your email yet')
  await reload(page)
  await expectUnanswered(page, 'Couldn’t verify your email yet')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await setAway(page, '**/auth/v1/verify')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expectUnanswered(page, 'Couldn’t verify your email yet')
  await page.unrouteAll()
  // The server uses the link, but its response is lost.
  await page.route('**/auth/v1/verify', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectUnanswered(page, 'Couldn’t verify your email yet')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Your email is already confirmed' })).toBeVisible()

  const recovery = await requestRecoveryLink(page, credentials.email, mail)
  await page.goto(recovery)
  await setAway(page, '**/api/account/keys')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expectUnanswered(page, 'Couldn’t check your link yet')
  await reload(page)
  await expectUnanswered(page, 'Couldn’t check your link yet')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  const password = newPassword()
  await choosePassword(page, password)
  await page.waitForURL('**/dashboard')
  await expectFiles(page)
  await page.evaluate(() => localStorage.clear())
  await signIn(page, { email: credentials.email, password })
})

/** Opens a link as a mail scanner with a real browser does, and presses nothing. */
async function scan(scanner: BrowserContext, link: string): Promise<void> {
  const page = await scanner.newPage()
  await page.goto(link, { waitUntil: 'networkidle' })
  await page.close()
}

const reload = (page: Page) => page.reload({ waitUntil: 'networkidle' })

const setAway = (page: Page, path: string) => page.route(path, (route) => route.abort('connectionrefused'))

async function expectUnanswered(page: Page, title: string): Promise<void> {
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await expect(page.getByText(/can’t reach the server|couldn’t reach/i)).toBeVisible()
}
