import { createAccount } from '../../support/account/account.ts'
import { enterMfaCode } from '../../support/account/mfa.ts'
import { phone, test } from '../../support/account/phone-sign-in.ts'
import { openSettings } from '../../support/account/security.ts'
import { enterPassword, expectFiles, signIn, signOut } from '../../support/account/users.ts'
import { expect } from '../../support/journey.ts'

test('ACC-18 a phone is added with a texted code, and the next sign-in sends a new one', async ({
  page,
  server,
  smsGateway,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await openSettings(page)
  await page.getByRole('button', { name: 'Add phone number' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a phone number' })
  await dialog.getByRole('textbox', { name: 'Phone number' }).fill('+49 170 123 45 67')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('We sent a code to +49 170 123 45 67. Enter it here.')).toBeVisible()
  const first = await smsGateway.nextCodeFor(phone)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(differentCode(first))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Incorrect code.')
  await dialog.getByRole('textbox', { name: 'Code' }).fill(first)
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'My phone' })).toContainText('Text message')
  await signOut(page)

  await enterPassword(page, account)
  await expect(page.getByText('Enter the code we sent to •••• 567.')).toBeVisible()
  await expect(page.getByText(/^Sent\. You can resend in \d+ s\.$/)).toBeVisible()
  const second = await smsGateway.nextCodeFor(phone)
  await enterMfaCode(page, differentCode(second))
  await expect(page.getByRole('alert')).toContainText('Incorrect code.')
  await enterMfaCode(page, second)
  await expectFiles(page)
})

const differentCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
