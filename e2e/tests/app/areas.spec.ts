import { openNewAccount } from '../../support/account/open-files.ts'
import { expectFiles } from '../../support/account/users.ts'
import { recordScripts } from '../../support/browser/page-start.ts'
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

test('SHL-10 without an organization there is no page of one and no button to it', async ({ page }) => {
  const { accessToken } = await openNewAccount(page)

  await page.goto('/business')

  await expect(page.getByText('404 Not Found')).toBeVisible()
  await page.getByRole('link', { name: 'Go home' }).click()
  await expectFiles(page)
  await expect(page.getByRole('link', { name: 'Business' })).toHaveCount(0)
  const headers = { authorization: `Bearer ${accessToken}` }
  expect((await page.request.get('/api/organization/dashboard', { headers })).status()).toBe(404)
})

test('SHL-10 for a user who is no admin the admin area does not exist, and its code is not loaded', async ({
  page,
}) => {
  const { accessToken } = await openNewAccount(page)
  const scripts = recordScripts(page)

  for (const path of ['/admin', '/admin?tab=users', '/admin/user/x']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
    await expect(page.getByText('404 Not Found')).toBeVisible()
  }
  await page.getByRole('link', { name: 'Go home' }).click()
  await expectFiles(page)

  await expect(page.getByRole('link', { name: 'Admin' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Your account' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Settings', 'Sign Out'])
  expect([...scripts.paths].filter((path) => path.includes('admin-area'))).toEqual([])
  const headers = { authorization: `Bearer ${accessToken}` }
  expect((await page.request.get('/api/admin/users', { headers })).status()).toBe(403)
  expect((await page.request.get('/api/admin/users')).status()).toBe(401)
})
