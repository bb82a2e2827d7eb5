import { createAccount } from '../../support/account/account.ts'
import { signIn } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

test('T064 a device signed out by another one shows it within 5 seconds', async ({ page, server, anotherBrowser }) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  const phoneContext = await anotherBrowser({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0) Version/20.0 Mobile Safari/604.1',
  })
  const phonePage = await phoneContext.newPage()
  await phonePage.goto(server.url)
  await signIn(phonePage, account)
  await page.goto('/settings')
  const row = page.getByRole('listitem').filter({ hasText: 'Safari on iPhone' })

  await row.getByRole('button', { name: 'Sign Out: Safari on iPhone' }).click()

  await expect(phonePage.getByText('Your session has expired. Please log in again.')).toBeVisible({ timeout: 5000 })
})
