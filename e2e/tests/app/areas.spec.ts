import { openNewAccount } from '../../support/account/open-files.ts'
import { expectFiles } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

test('SHL-02 the landing page offers Sign In, Sign Up and Join Session and no dead link', async ({ page }) => {
  await page.goto('/')

  await expect(page.getByRole('tab')).toHaveText(['Sign In', 'Sign Up', 'Join Session'])
})

test('SHL-03 after sign-in Files is the first area, even if the URL names an unknown area', async ({ page }) => {
  await openNewAccount(page)

  await page.goto('/?tab=attic')

  await expectFiles(page)
  await expect(page.getByRole('tab')).toHaveCount(0)
})

test('SHL-10 the pages and API calls of admins and organization owners return 404', async ({ page, request }) => {
  await openNewAccount(page)

  for (const path of ['/admin', '/business']) {
    await page.goto(path)
    await expect(page.getByText('404 Not Found')).toBeVisible()
  }
  for (const path of ['/api/admin/status', '/api/organization/dashboard']) {
    expect((await request.get(path)).status()).toBe(404)
  }
})
