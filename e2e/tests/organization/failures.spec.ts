import type { Page } from '@playwright/test'
import { organizations } from '@sallyport/contract/organizations'
import { createAccount, newEmail, newPassword } from '../../support/account/account.ts'
import { expect, test } from '../../support/account/mail-journey.ts'
import {
  addMember,
  businessButton,
  buySeats,
  callAs,
  invitationRow,
  memberRow,
} from '../../support/account/organization.ts'
import { requestRecoveryLink } from '../../support/account/recovery.ts'
import { enterPassword, passwordField, signIn } from '../../support/account/users.ts'

const silent = { status: 500, json: { success: false, code: 'INTERNAL', error: '' } }
const ofProxy = { status: 403, contentType: 'text/html', body: '<h1>Blocked</h1>' }

test.use({ verifyAddresses: false })

/** Has the server fail at a call, without a reason. */
const fail = (page: Page, path: string, answer: object = silent) =>
  page.route(`**${path}`, (route) => route.fulfill(answer))

test('ORG-02 ORG-03 ORG-04 each failed change of a team says what has failed', async ({ page, server }) => {
  test.slow()
  const [owner, member] = [await createAccount(server.url, newEmail()), await createAccount(server.url, newEmail())]
  await buySeats(server.url, owner)
  await addMember(server.url, owner, member)
  const email = newEmail()
  await callAs(server.url, owner)(organizations.invite, { body: { email } })
  await server.setClock(61_000)
  await signIn(page, owner)
  await businessButton(page).click()

  await fail(page, '/api/organization/invite')
  await page.getByRole('button', { name: 'Invite Team Member' }).click()
  const inviting = page.getByRole('dialog', { name: 'Invite Team Member' })
  await inviting.getByRole('textbox', { name: 'Email' }).fill(newEmail())
  await inviting.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(inviting.getByRole('alert')).toHaveText('Failed to send invitation')
  await inviting.getByRole('button', { name: 'Cancel' }).click()

  await fail(page, '/api/organization/resend-invitation')
  await invitationRow(page, email)
    .getByRole('button', { name: /^Resend/ })
    .click()
  await expect(invitationRow(page, email).getByRole('alert')).toHaveText('Failed to resend invitation')

  await fail(page, '/api/organization/clear-invitations')
  await page.getByRole('button', { name: 'Clear All' }).click()
  const clearing = page.getByRole('alertdialog')
  await clearing.getByRole('button', { name: 'Clear All' }).click()
  await expect(clearing.getByRole('alert')).toHaveText('Failed to clear invitations')
  await clearing.getByRole('button', { name: 'Cancel' }).click()

  await fail(page, '/api/organization/add-seats')
  await page.getByRole('button', { name: 'Add More Seats' }).click()
  const adding = page.getByRole('dialog', { name: 'Add More Seats' })
  await adding.getByRole('button', { name: 'Add Seats' }).click()
  await expect(adding.getByRole('alert')).toHaveText('Failed to add seats')
  await adding.getByRole('button', { name: 'Cancel' }).click()

  await fail(page, '/api/organization/member/*')
  await memberRow(page, member.email)
    .getByRole('button', { name: /^Remove/ })
    .click()
  const removing = page.getByRole('alertdialog')
  await removing.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(removing.getByRole('alert')).toHaveText('Error removing member: the server gave no reason')
  await removing.getByRole('button', { name: 'Cancel' }).click()

  await fail(page, '/api/subscription/cancel?*')
  await page.getByRole('button', { name: 'Cancel Subscription' }).click()
  const cancelling = page.getByRole('alertdialog')
  await cancelling.getByRole('button', { name: 'Yes, Cancel Subscription' }).click()
  await expect(cancelling.getByRole('alert')).toHaveText('Failed to cancel subscription')
})

test('ORG-05 ORG-06 P4 an invitation that cannot be validated, joined or accepted says so', async ({
  page,
  server,
  mail,
}) => {
  test.slow()
  const [owner, member] = [await createAccount(server.url, newEmail()), await createAccount(server.url, newEmail())]
  await buySeats(server.url, owner)
  const email = newEmail()
  await callAs(server.url, owner)(organizations.invite, { body: { email } })
  const { text = '' } = await mail.nextEmailTo(email)
  const link = /\/join-org\/[\w-]+/.exec(text)?.[0] ?? ''

  await fail(page, '/api/organization/validate-invite/*')
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Failed to validate invitation' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await passwordField(page, 'Password').fill(newPassword())
  const password = await passwordField(page, 'Password').inputValue()
  await passwordField(page, 'Confirm Password').fill(password)
  const join = page.getByRole('button', { name: 'Create Account & Join' })
  await fail(page, '/api/organization/join')
  await join.click()
  await expect(page.getByRole('alert')).toHaveText('Failed to join organization')
  await fail(page, '/api/organization/join', ofProxy)
  await join.click()
  await expect(page.getByRole('alert')).toHaveText('Failed to process request')

  const { invitation } = await callAs(server.url, owner)(organizations.invite, { body: { email: member.email } })
  await signIn(page, member)
  await fail(page, '/api/organization/accept-invite')
  await page.goto(`/accept-invite/i.${invitation.id}`)
  await expect(page.getByRole('heading', { name: 'Failed to accept invite' })).toBeVisible()
  await fail(page, '/api/organization/accept-invite', ofProxy)
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Failed to process request')
})

test('PLN-04 ACC-05 ACC-15 a plan without a session, and a password link that fails, say what to do', async ({
  page,
  server,
  mail,
}) => {
  const account = await createAccount(server.url, newEmail())
  const error = 'Your trial has ended'
  await fail(page, '/api/login', { status: 403, json: { success: false, code: 'TRIAL_EXPIRED', error } })
  await enterPassword(page, account)
  const dialog = page.getByRole('dialog', { name: 'Trial Expired - Upgrade Required' })
  await dialog.getByRole('button', { name: 'Upgrade Now' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('No session found - please log in again')

  const link = await requestRecoveryLink(page, account.email, mail)
  await fail(page, '/api/emailed-link-status*')
  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('Failed to verify recovery link. Please try again.')
})
