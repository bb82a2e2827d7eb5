import type { Page } from '@playwright/test'
import { createAccount, newEmail, newPassword } from '../support/account.ts'
import { expect, test } from '../support/mail-journey.ts'
import { enterPassword, expectFiles, fileRow, signIn } from '../support/people.ts'
import { askForLink, choosePassword, keepRecoveryKey } from '../support/recovery.ts'
import { stepUntilVisible, stopTime } from '../support/stopped-time.ts'

test.use({ mustConfirm: false })

test('ACC-15 T061 with the recovery key a forgotten password costs nothing: the files stay readable', async ({
  page,
  mail,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'), 60)
  const recoveryKey = await keepRecoveryKey(account)
  const password = newPassword()

  const link = await askForLink(page, account.email, mail)
  for (const method of ['GET', 'HEAD']) await fetch(server.url + link.replace('#', '?'), { method })
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  expect(new URL(page.url()).hash).toBe('')
  await page.getByRole('textbox', { name: 'Recovery key' }).fill('AAAA-BBBB')
  await choosePassword(page, password)
  await expect(page.getByRole('alert')).toContainText('This is not a whole recovery key')

  await page.getByRole('textbox', { name: 'Recovery key' }).fill(recoveryKey.toLowerCase())
  await choosePassword(page, password)
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
  await page.waitForURL('**/dashboard')
  await expectFiles(page)
  await expect(fileRow(page, 'kept.txt')).toBeVisible()

  await forget(page)
  await signIn(page, { email: account.email, password })
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
  await forget(page)
  await enterPassword(page, account)
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
})

test('ACC-15 ACC-16 without a recovery key the page says what is lost before it is lost, and wants that confirmed', async ({
  page,
  mail,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['a'], 'a.txt'), 60)
  await account.upload(new File(['b'], 'b.txt'), 60)
  const password = newPassword()
  await page.clock.install()

  await page.goto(await askForLink(page, account.email, mail))
  await expect(page.getByText('The 2 files you keep here can no longer be opened by anybody')).toBeVisible()
  await choosePassword(page, 'short')
  await expect(page.getByRole('alert')).toHaveText('Password must be at least 6 characters')
  await choosePassword(page, password, `${password}x`)
  await expect(page.getByRole('alert')).toHaveText('Passwords do not match')
  await choosePassword(page, password)
  await expect(page.getByRole('alert')).toHaveText('Confirm first that you know what is lost')

  await page.getByLabel('I understand that these files are lost').check()
  // Left to itself, the page would go on before it is pressed.
  await stopTime(page)
  await choosePassword(page, password)
  await stepUntilVisible(page.getByText('2 files can no longer be opened.'))
  await page.getByRole('link', { name: 'Go now' }).click()
  await page.clock.resume()
  await expectFiles(page)
  const lost = page.getByText('2 files from before your new key cannot be opened any more. They expire by themselves.')
  await expect(lost).toBeVisible()
  await expect(page.getByText('Upload files to see them here')).toBeVisible()
  await page.getByRole('button', { name: 'Delete them' }).click()
  await expect(lost).toBeHidden()
})

test('ACC-15 asking for a link is answered alike for strangers, and links that are missing, made up or used say so', async ({
  page,
  mail,
  server,
}) => {
  const account = await createAccount(server.url)
  await page.goto('/#forgot')
  const stranger = newEmail()
  await page.getByRole('textbox', { name: 'Email' }).fill(stranger)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText(`If there is an account for ${stranger}, a link is on its way.`)).toBeVisible()

  for (const address of ['/set-password', '/set-password?token=abc', '/set-password?token=abc&type=email']) {
    await page.goto(address)
    await expect(page.getByRole('alert')).toContainText('Invalid or missing password setup link')
  }
  await page.goto('/set-password?token=madeup&type=recovery&email=x%40example.org')
  await expect(page.getByRole('alert')).toContainText(
    'Invalid or expired recovery link. Please request a new invitation.',
  )

  const link = await askForLink(page, account.email, mail)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('Invalid or expired recovery link.')
  await page.getByRole('link', { name: 'Send a new link' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  expect(mail.letters.filter(({ to }) => to?.[0]?.address === stranger)).toEqual([])
})

/** As on a browser that has never been here. */
async function forget(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.goto('about:blank')
}
