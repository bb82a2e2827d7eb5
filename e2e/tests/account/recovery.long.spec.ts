import { createAccount, newPassword } from '../../support/account/account.ts'
import { expect, test } from '../../support/account/mail-journey.ts'
import { choosePassword, followRecoveryLink, requestRecoveryLink } from '../../support/account/recovery.ts'
import { signIn } from '../../support/account/users.ts'

test.use({ verifyAddresses: false })

test('ACC-15 a password link survives a reload of its tab, and nothing has to be confirmed without files', async ({
  page,
  mail,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  const password = newPassword()

  await followRecoveryLink(page, await requestRecoveryLink(page, account.email, mail))
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  await expect(page.getByText(/nothing will be lost/)).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await choosePassword(page, password)
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible()

  expect(await page.evaluate(() => sessionStorage.getItem('sallyport-auth-passing'))).toBeNull()
  expect(mail.emails[0]?.text).toMatch(/Only if you started this in another app, enter this code there:\s+Code: \d{6}/)
  const elsewhere = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await elsewhere.goto('/')
  await signIn(elsewhere, { email: account.email, password })
  await elsewhere.goto('/set-password')
  await expect(elsewhere.getByText('Invalid or missing password setup link')).toBeVisible()
})

test('ACC-15 password links that are refused because they come too soon do not lock the address', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const ask = async () => {
    await page.goto('/')
    await page.goto('/#forgot')
    await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
    await page.keyboard.press('Enter')
  }
  await ask()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()

  for (let press = 0; press < 5; press += 1) {
    await ask()
    await expect(page.getByRole('alert')).toContainText(/you can only request this after \d+ seconds/)
  }
  await server.setClock(61_000)
  await ask()

  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
})
