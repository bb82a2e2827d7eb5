import type { Page } from '@playwright/test'
import { accounts } from '@sallyport/contract/accounts'
import { billing } from '@sallyport/contract/billing'
import { createAccount, newEmail, newPassword } from '../../support/account/account.ts'
import { expect, test } from '../../support/account/mail-journey.ts'
import { linkInEmail, type MailServer } from '../../support/account/mail-server.ts'
import { openFiles } from '../../support/account/open-files.ts'
import {
  businessButton,
  buySeats,
  callAs,
  invitationRow,
  inviteOnPage,
  memberRow,
  tile,
} from '../../support/account/organization.ts'
import { followRecoveryLink } from '../../support/account/recovery.ts'
import { dropZone, expectFiles, fileRow, passwordField, signIn, signOut } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'

const minute = 60_000

test.use({ verifyAddresses: false })

/** The link of the newest invitation to this address. */
async function invitationFor(mail: MailServer, email: string): Promise<string> {
  const { text = '' } = await mail.nextEmailTo(email)
  const path = /https?:\/\/[^\s/]+(\/(?:join-org|accept-invite)\/\S+)/.exec(text)?.[1]
  if (path === undefined) throw new Error(`The email has no invitation:\n${text}`)
  return path
}

const planOf = (page: Page) => page.getByRole('region', { name: /^Subscription/ })

test('ORG-02 ORG-04 ORG-05 ORG-06 PLN-06 T220 people join, one is removed, and after the plan everyone is on a trial with their files', async ({
  page,
  server,
  mail,
  folder,
  anotherBrowser,
}) => {
  test.slow()
  const owner = await createAccount(server.url, newEmail())
  const existing = await createAccount(server.url, newEmail())
  await callAs(server.url, existing)(accounts.saveSettings, { body: { defaultExpirationMinutes: 24 * 60 } })
  const forgetful = await createAccount(server.url, newEmail())
  await buySeats(server.url, owner)
  const newcomer = { email: newEmail(), password: newPassword() }

  await openFiles(page, owner)
  await businessButton(page).click()
  await inviteOnPage(page, newcomer.email, 'Admin')
  await inviteOnPage(page, existing.email)
  await inviteOnPage(page, forgetful.email)
  await expect(tile(page, 'Used Seats')).toHaveText('4')

  // With a new account.
  const second = await (await anotherBrowser()).newPage()
  await second.goto(server.url + (await invitationFor(mail, newcomer.email)))
  await expect(second.getByRole('heading', { name: 'Join Blue Whale' })).toBeVisible()
  await expect(second.getByText('You’re invited as an admin.')).toBeVisible()
  await expectAccessible(second, 'join')
  await expect(second.getByRole('textbox', { name: 'Email' })).toHaveValue(newcomer.email)
  await passwordField(second, 'Password').fill('short')
  await passwordField(second, 'Confirm Password').fill('short')
  await second.getByRole('button', { name: 'Create Account & Join' }).click()
  await expect(second.getByText('Password must be at least 6 characters')).toBeVisible()
  await passwordField(second, 'Password').fill(newcomer.password)
  await passwordField(second, 'Confirm Password').fill('another password')
  await second.getByRole('button', { name: 'Create Account & Join' }).click()
  await expect(second.getByText('Passwords do not match')).toBeVisible()
  await passwordField(second, 'Confirm Password').fill(newcomer.password)
  await second.getByRole('button', { name: 'Create Account & Join' }).click()
  await expectFiles(second)
  await expect(businessButton(second)).toBeVisible()
  await expect(memberRow(page, newcomer.email)).toContainText('Admin')

  // With an existing account, which is signed in.
  const third = await (await anotherBrowser()).newPage()
  await openFiles(third, existing, server.url)
  await third.goto(server.url + (await invitationFor(mail, existing.email)))
  await expect(third.getByRole('heading', { name: 'You joined Blue Whale.' })).toBeVisible()
  await expectFiles(third)
  await third.goto(`${server.url}/settings`)
  await expect(planOf(third)).toContainText('Your seat comes from Blue Whale.')
  await expect(planOf(third)).toContainText('of 50.00 GB')

  // With a new password.
  const fourth = await (await anotherBrowser()).newPage()
  await invitationFor(mail, forgetful.email)
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' } }
  await fetch(`${server.url}/auth/v1/recover`, { ...asked, body: JSON.stringify({ email: forgetful.email }) })
  const link = linkInEmail(await mail.nextEmailTo(forgetful.email), '/set-password')
  await followRecoveryLink(fourth, server.url + link)
  await expect(fourth.getByText('You join Blue Whale with it.')).toBeVisible()
  const password = newPassword()
  await passwordField(fourth, 'New password').fill(password)
  await passwordField(fourth, 'Confirm password').fill(password)
  await fourth.getByRole('button', { name: 'Set Password & Join Team' }).click()
  await expect(fourth.getByText('You joined Blue Whale.')).toBeVisible()
  await expectFiles(fourth)
  await expect(memberRow(page, forgetful.email)).toContainText('Member')

  // One is removed, and sees it at once.
  await memberRow(page, newcomer.email).getByRole('button', { name: 'Remove' }).click()
  const question = page.getByRole('alertdialog', { name: `Remove ${newcomer.email}?` })
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(memberRow(page, newcomer.email)).toHaveCount(0)
  await expect(tile(page, 'Used Seats')).toHaveText('3')
  await expect(businessButton(second)).toHaveCount(0)

  // The plan is cancelled and ends.
  await page.getByRole('button', { name: 'Cancel Subscription' }).click()
  await page.getByRole('button', { name: 'Yes, Cancel Subscription' }).click()
  await expect(page.getByText('Ending Soon')).toBeVisible()
  await expect(page.getByText(/^All seats end on/)).toBeVisible()
  await signOut(page)
  await signOut(third)
  const { current_period_end: end } = await callAs(server.url, owner)(billing.subscription, { query: {} })
  const endsInMs = Number(end) * 1000 - Date.now()
  // A file of the last minutes outlives the plan.
  await server.setClock(endsInMs - 30 * minute)
  await signIn(third, existing, server.url)
  await third.goto(`${server.url}/settings`)
  await expect(planOf(third)).toContainText(/All seats end on/)
  await third.goto(server.url)
  const file = await makeRandomFile({ folder, name: 'minutes.pdf', bytes: 20_000 })
  await dropFiles(third, dropZone(third), [file.path])
  await expect(fileRow(third, 'minutes.pdf')).toBeVisible()
  await server.setClock(endsInMs + 10 * minute)
  await third.reload()
  await expect(fileRow(third, 'minutes.pdf')).toBeVisible()
  await expect(third.getByText(/of 1\.00 GB/).last()).toBeVisible()

  await signIn(page, owner)
  await page.goto('/settings')
  await expect(planOf(page)).toContainText('of 1.00 GB')
  await page.goto('/business')
  await expect(page.getByText('The plan of Blue Whale has ended.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue to Checkout' })).toBeVisible()
  await expect(memberRow(page, existing.email)).toBeVisible()
})

test('ORG-05 ORG-06 ORG-08 invitations that were cleared, replaced or meant for someone else let nobody in', async ({
  page,
  server,
  mail,
  anotherBrowser,
}) => {
  test.slow()
  const owner = await createAccount(server.url, newEmail())
  const invited = await createAccount(server.url, newEmail())
  await buySeats(server.url, owner)
  await openFiles(page, owner)
  await businessButton(page).click()
  await inviteOnPage(page, invited.email)
  const link = await invitationFor(mail, invited.email)

  // The owner opens it.
  await page.goto(link)
  await expect(page.getByText('This invitation is for another address')).toBeVisible()
  await expect(page.getByText(`You’re signed in as ${owner.email}.`)).toBeVisible()

  // A link that was sent again replaces it.
  const moved = await (await anotherBrowser()).newPage()
  await server.setClock(2 * minute)
  await page.goto('/business')
  await invitationRow(page, invited.email)
    .getByRole('button', { name: /Resend/ })
    .click()
  const newest = await invitationFor(mail, invited.email)
  await moved.goto(server.url + link)
  await expect(moved.getByRole('alert')).toContainText('Invalid or expired invitation')

  // Its own account joins with its password only.
  const second = await (await anotherBrowser()).newPage()
  await second.goto(server.url + newest)
  await expect(second.getByRole('checkbox', { name: 'I already have an account' })).toBeChecked()
  await expect(passwordField(second, 'Confirm Password')).toHaveCount(0)
  await passwordField(second, 'Password').fill('a wrong password')
  await second.getByRole('button', { name: 'Join Organization' }).click()
  await expect(second.getByRole('alert')).toHaveText('Invalid email or password')

  // A copied link asks to sign in.
  await page.goto('/business')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await invitationRow(page, invited.email)
    .getByRole('button', { name: /Copy link/ })
    .click()
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  await second.goto(server.url + copied.pathname)
  await expect(second.getByText(/^Sign in or sign up as .…@example\.org first\./)).toBeVisible()

  await page.getByRole('button', { name: 'Clear All' }).click()
  const question = page.getByRole('alertdialog', { name: 'Clear all pending invitations?' })
  await question.getByRole('button', { name: 'Clear All' }).click()
  await expect(page.getByText('No one is waiting for an answer.')).toBeVisible()
  await second.goto(server.url + newest)
  await expect(second.getByRole('alert')).toContainText('Invalid or expired invitation')
  await expect(second.getByRole('link', { name: 'Go to Login' })).toBeVisible()
})
