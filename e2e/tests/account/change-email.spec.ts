import { newEmail, newPassword } from '../../support/account/account.ts'
import { followConfirmationLink } from '../../support/account/confirmation.ts'
import { test as mailTest } from '../../support/account/mail-journey.ts'
import { linkInEmail } from '../../support/account/mail-server.ts'
import { emailPane, submitChange } from '../../support/account/security.ts'
import { expectFiles, register, signIn, signOut } from '../../support/account/users.ts'
import { expect } from '../../support/journey.ts'

mailTest('with email verification both addresses confirm the change by a link', async ({ page, mail }) => {
  const credentials = { email: newEmail(), password: newPassword() }
  await register(page, credentials)
  await followConfirmationLink(page, linkInEmail(await mail.nextEmailTo(credentials.email), '/auth/confirm'))
  await page.waitForURL(/\/\?verified=true/)
  await signIn(page, credentials)
  const email = newEmail()

  await submitChange(page, email, credentials.password)
  await expect(emailPane(page)).toContainText(`We’ve sent a link to ${email} and one to your current address.`)
  await expect(emailPane(page)).toContainText(`You sign in with ${credentials.email}`)
  const newLink = linkInEmail(await mail.nextEmailTo(email), '/auth/confirm')
  const oldLink = linkInEmail(await mail.nextEmailTo(credentials.email), '/auth/confirm')
  await followConfirmationLink(page, newLink)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  // Checked meanwhile, because the page leaves for the sign-in after 3 seconds.
  const changed = page.getByRole('heading', { name: 'Email address changed' })
  await Promise.all([expect(changed).toBeVisible(), followConfirmationLink(page, oldLink)])
  await page.waitForURL(/\/\?verified=true/)

  await expectFiles(page)
  await signOut(page)
  await signIn(page, { ...credentials, email })
})
