import type { Page } from '@playwright/test'
import { createAccount, newEmail, newPassword } from '../../support/account/account.ts'
import { openNewAccount } from '../../support/account/open-files.ts'
import {
  addMember,
  businessButton,
  buySeats,
  fillBusinessForm,
  memberRow,
  openBusinessForm,
  tile,
} from '../../support/account/organization.ts'
import { fillSignIn, signIn } from '../../support/account/users.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { expect, test } from '../../support/journey.ts'

const desktop = { width: 1280, height: 860 }

test('PLN-03 PLN-04 PLN-06 ORG-01 ORG-03 SHL-05 seats are bought from the plans, and more of them on the dashboard', async ({
  page,
}) => {
  test.slow()
  const account = await openNewAccount(page)
  await expect(businessButton(page)).toHaveCount(0)

  await page.goto('/settings')
  await page.getByRole('button', { name: 'Upgrade' }).click()
  await page.getByRole('radio', { name: /Business/ }).check()
  await page.getByRole('button', { name: 'Subscribe Now' }).click()
  const details = page.getByRole('dialog', { name: 'Organization Details' })
  await details.getByRole('textbox', { name: 'Organization Name *' }).fill('https://evil.example')
  await details.getByRole('button', { name: 'Continue to Checkout' }).click()
  await expect(details.getByRole('alert')).toHaveText(
    'Failed to start checkout: Use letters, numbers and spaces. Links aren’t allowed.',
  )
  await details.getByRole('textbox', { name: 'Organization Name *' }).fill('Blue Whale')
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'The Business plan' })).toBeVisible()
  await expect(page.getByText('Blue Whale')).toBeVisible()
  await expect(page.getByText('5 seats × $8.00')).toBeVisible()
  await expectAccessible(page, 'checkout of seats')
  await page.setViewportSize(desktop)
  await page.getByRole('button', { name: 'Decline the card' }).click()
  await expect(page.getByRole('alert')).toHaveText('The payment was declined. Nothing was changed.')
  await page.getByRole('button', { name: 'Pay $40.00' }).click()
  await expect(page.getByText('Your Business plan is active.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Blue Whale' })).toBeVisible()

  await expect(tile(page, 'Total Seats')).toHaveText('5')
  await expect(tile(page, 'Used Seats')).toHaveText('1')
  await expect(tile(page, 'Available Seats')).toHaveText('4')
  await expect(tile(page, 'Monthly Cost')).toContainText('$40.00')
  await expect(memberRow(page, account.email)).toContainText('Owner')
  await expect(memberRow(page, account.email).getByRole('button')).toHaveCount(0)
  await expect(businessButton(page)).toHaveCount(0)

  await page.getByRole('button', { name: 'Add More Seats' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add More Seats' })
  await dialog.getByLabel('Number of seats').fill('')
  await dialog.getByLabel('Number of seats').blur()
  await expect(dialog.getByLabel('Number of seats')).toHaveValue('1')
  await dialog.getByLabel('Number of seats').fill('2')
  await expect(dialog.getByRole('status')).toHaveText(
    /^You pay \$1\d\.\d\d now for the rest of this month, then \$56\.00 a month\.$/,
  )
  await dialog.getByRole('button', { name: 'Add Seats' }).click()
  await expect(page.getByText(/^2 seats added\. \$1\d.* was charged\.$/)).toBeVisible()
  await expect(tile(page, 'Total Seats')).toHaveText('7')
  await expect(tile(page, 'Monthly Cost')).toContainText('$56.00')

  await page.getByRole('link', { name: /files/i }).first().click()
  await businessButton(page).click()
  await expect(page.getByRole('heading', { name: 'Blue Whale' })).toBeVisible()
})

test('PLN-07 PLN-06 ACC-08 SHL-01 SHL-02 a team signs up, pays, signs in and buys more seats', async ({ page }) => {
  test.slow()
  const credentials = { email: newEmail(), password: newPassword() }
  await openBusinessForm(page)
  await expect(page).toHaveURL('/#business')
  await expect(page.getByText('5 seats × $8.00 = $40.00 per month, charged at checkout.')).toBeVisible()
  await fillBusinessForm(page, { ...credentials, name: 'Blue Whale' })

  await expect(page.getByRole('heading', { name: 'The Business plan' })).toBeVisible()
  await expect(page.getByText('Blue Whale')).toBeVisible()
  const checkoutId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(await storedSignUp(page)).toBe('{"organization_name":"Blue Whale","quantity":5}')
  await page.getByRole('button', { name: 'Pay $40.00' }).click()

  await expect(page).toHaveURL(`/business-success?session_id=${checkoutId}`)
  await expect(
    page.getByText('Business account setup complete! Please sign in to access your dashboard.'),
  ).toBeVisible()
  await expect(page.getByText(checkoutId.slice(0, 20), { exact: true })).toBeVisible()
  await expect(page.getByText(/^Continuing in [78] s$/)).toBeVisible()
  expect(await storedSignUp(page)).toBeNull()

  await fillSignIn(page, credentials)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await businessButton(page).click()
  await expect(page.getByRole('heading', { name: 'Blue Whale' })).toBeVisible()
  await expect(page.getByText('Finish setting up')).toHaveCount(0)
  await expect(tile(page, 'Total Seats')).toHaveText('5')
  await expect(tile(page, 'Monthly Cost')).toContainText('$40.00')
  await expect(memberRow(page, credentials.email)).toContainText('Owner')

  await page.getByRole('button', { name: 'Add More Seats' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add More Seats' })
  await dialog.getByLabel('Number of seats').fill('2')
  await dialog.getByRole('button', { name: 'Add Seats' }).click()
  await expect(tile(page, 'Total Seats')).toHaveText('7')
  await expect(tile(page, 'Monthly Cost')).toContainText('$56.00')
})

test('ORG-03 T227 a declined card adds no seats and says so', async ({ page, server }) => {
  const account = await createAccount(server.url, newEmail())
  await buySeats(server.url, account, { laterCharges: 'declined' })
  await signIn(page, account)
  await businessButton(page).click()

  await page.getByRole('button', { name: 'Add More Seats' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add More Seats' })
  await dialog.getByRole('button', { name: 'Add Seats' }).click()

  await expect(dialog.getByRole('alert')).toHaveText('The payment was declined. Nothing was changed.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(tile(page, 'Total Seats')).toHaveText('5')
})

test('ORG-01 SHL-10 the dashboard is accessible on both widths, and works with the keyboard alone', async ({
  page,
  server,
}) => {
  test.slow()
  const account = await createAccount(server.url, newEmail())
  await buySeats(server.url, account)
  await signIn(page, account)
  await businessButton(page).click()
  await expect(page.getByRole('heading', { name: 'Team Members' })).toBeVisible()
  await expectAccessible(page, 'dashboard')
  await page.setViewportSize(desktop)

  await tabTo(page, /Invite Team Member/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Invite Team Member' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page, 'invite dialog')
  await page.setViewportSize(desktop)
  await dialog.getByRole('textbox', { name: 'Email' }).focus()
  await page.keyboard.type(account.email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('This person is already in the team')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('list').getByText(account.email)).toBeVisible()
  await expectAccessible(page, 'dashboard on a phone')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('SHL-05 SHL-10 a member without rights has no button and no dashboard', async ({ page, server }) => {
  const [owner, member] = [await createAccount(server.url, newEmail()), await createAccount(server.url, newEmail())]
  await buySeats(server.url, owner)
  await addMember(server.url, owner, member)
  await signIn(page, member)

  await expect(businessButton(page)).toHaveCount(0)
  await page.goto('/business')
  await expect(page.getByText('404 Not Found')).toBeVisible()

  await page.goto('/settings')
  await page.getByRole('button', { name: 'Leave the organization' }).click()
  await page
    .getByRole('alertdialog', { name: 'Leave Blue Whale?' })
    .getByRole('button', { name: /^Leave/ })
    .click()
  await expect(page.getByText('Your seat comes from Blue Whale.')).toHaveCount(0)
  await expect(page.getByRole('region', { name: /^Subscription/ })).toContainText('of 1.00 GB')
})

const storedSignUp = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem('businessSignup'))
