import { createAccount, newEmail, newPassword } from '../../support/account/account.ts'
import { createMagicLink } from '../../support/account/admin.ts'
import { openFiles } from '../../support/account/open-files.ts'
import {
  addMember,
  businessButton,
  buySeats,
  invitationRow,
  inviteOnPage,
  memberRow,
  tile,
} from '../../support/account/organization.ts'
import { expectFiles, fillSignIn, passwordField, signIn } from '../../support/account/users.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { expect, test } from '../../support/journey.ts'

test('P11 ORG-01 ORG-07 who claims a business invitation owns an organization with the granted seats', async ({
  page,
  server,
}) => {
  test.slow()
  const link = await createMagicLink(server, '--type', 'business', '--seats', '3')
  const credentials = { email: newEmail(), password: newPassword() }
  await page.goto(link)
  await page.getByRole('textbox', { name: 'Email' }).fill(credentials.email)
  await passwordField(page, 'Password').fill(credentials.password)
  await page.getByRole('button', { name: 'Create Account & Claim License' }).click()
  await page.getByRole('link', { name: 'Sign In' }).click()
  await fillSignIn(page, credentials)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)

  await businessButton(page).click()
  await expect(tile(page, 'Total Seats')).toHaveText('3')
  await expect(tile(page, 'Monthly Cost')).toContainText('Granted')
  await expect(page.getByRole('button', { name: 'Add More Seats' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Cancel Subscription' })).toHaveCount(0)
  await inviteOnPage(page, newEmail())
  await inviteOnPage(page, newEmail())
  await expect(page.getByRole('button', { name: 'Invite Team Member' })).toBeDisabled()
  await expect(page.getByText('No seats are free. Remove a member or clear an invitation first.')).toBeVisible()

  await page.goto('/settings')
  await expect(page.getByText('3 of 3 seats used', { exact: true })).toBeVisible()
})

test('ORG-03 SHL-05 SHL-10 the owner makes a member an admin and takes it back, which they see at once', async ({
  page,
  server,
  anotherBrowser,
}) => {
  test.slow()
  const [owner, member] = [await createAccount(server.url, newEmail()), await createAccount(server.url, newEmail())]
  await buySeats(server.url, owner)
  await addMember(server.url, owner, member)
  const second = await (await anotherBrowser()).newPage()
  await openFiles(second, member, server.url)
  await signIn(page, owner)
  await businessButton(page).click()
  await expect(businessButton(second)).toHaveCount(0)

  await memberRow(page, member.email).getByLabel(`Role of ${member.email}`).selectOption('Admin')
  await businessButton(second).click()
  await expect(memberRow(second, owner.email)).toContainText('Owner')
  await expect(memberRow(second, owner.email).getByRole('button')).toHaveCount(0)
  await expect(second.getByRole('button', { name: 'Add More Seats' })).toHaveCount(0)
  const email = newEmail()
  await inviteOnPage(second, email)
  await expect(invitationRow(page, email)).toBeVisible()

  await memberRow(page, member.email).getByLabel(`Role of ${member.email}`).selectOption('Member')
  await expect(second.getByText('404 Not Found')).toBeVisible()
  await expect(businessButton(second)).toHaveCount(0)
})

test('ORG-04 SET-07 an owner sees what the end of their account, and of their plan, does to the team', async ({
  page,
  server,
}) => {
  const owner = await createAccount(server.url, newEmail())
  await buySeats(server.url, owner)
  await signIn(page, owner)

  await page.goto('/settings')
  await expect(page.getByText('1 of 5 seats used · $40.00 per month')).toBeVisible()
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: /Delete/ })
  await expect(dialog).toContainText('Blue Whale is closed with it: its plan ends at once')
  await page.keyboard.press('Escape')

  await businessButton(page).click()
  await page.getByRole('button', { name: 'Cancel Subscription' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(/The paid seats stay until \d+ \w+ \d{4}\./)
  await page.getByRole('button', { name: 'Keep Subscription' }).click()
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
})

test('ORG-01 the dashboard says when a payment is overdue, and when there are more people than seats', async ({
  page,
  server,
}) => {
  const owner = await createAccount(server.url, newEmail())
  await buySeats(server.url, owner)
  await page.route('**/api/organization/dashboard', async (route) => {
    const response = await route.fetch()
    const reply = await response.json()
    const shown = { status: 'past_due', ends_at: Date.UTC(2027, 0, 15, 12), used_seats: 6, available_seats: 0 }
    await route.fulfill({ response, json: { ...reply, organization: { ...reply.organization, ...shown } } })
  })
  await signIn(page, owner)
  await businessButton(page).click()

  await expect(page.getByText('Payment overdue')).toBeVisible()
  await expect(page.getByText('The last payment failed. Without one, all seats end on 15 January 2027.')).toBeVisible()
  await expect(page.getByText('You use 6 of 5 seats.')).toBeVisible()
  await expectAccessible(page, 'dashboard with an overdue payment')
})
