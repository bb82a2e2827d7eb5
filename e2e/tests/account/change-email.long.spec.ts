import { createAccount, newEmail } from '../../support/account/account.ts'
import { emailPane, submitChange } from '../../support/account/security.ts'
import { fileRow, signIn, signOut } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

test('on a server without email verification the address changes at once, and the files stay readable', async ({
  page,
  server,
}) => {
  const [account, other] = [await createAccount(server.url), await createAccount(server.url)]
  await account.upload(new File(['kept'], 'kept.txt'), 1440)
  const email = newEmail()
  await signIn(page, account)

  await submitChange(page, email, 'not my password')
  await expect(emailPane(page)).toContainText('This is not your current password')
  await submitChange(page, 'no address', account.password)
  await expect(emailPane(page)).toContainText('Enter an email address, such as name@example.com')
  await submitChange(page, other.email, account.password)
  await expect(emailPane(page)).toContainText('Another account uses this email address')
  await submitChange(page, email, account.password)

  await expect(emailPane(page)).toContainText('Email address changed. Sign in with the new one from now on.')
  await expect(emailPane(page)).toContainText(`You sign in with ${email}`)
  await signOut(page)
  await signIn(page, { email, password: account.password })
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
})
