import { expect, test } from '../support/journey.ts'
import { expectFiles, signUp } from '../support/people.ts'

test('SHL-02 a stranger finds the ways in: Sign In, Sign Up and Join Session, and none that leads nowhere', async ({
  page,
}) => {
  await page.goto('/')

  await expect(page.getByRole('tab')).toHaveText(['Sign In', 'Sign Up', 'Join Session'])
})

test('SHL-03 signed in, Files stands open at first, also on an address that names an area that is not there', async ({
  page,
}) => {
  await signUp(page)

  await page.goto('/?tab=attic')

  await expectFiles(page)
  await expect(page.getByRole('tab')).toHaveCount(0)
})

test('SHL-10 nobody is an admin or owns an organization here: their pages and their calls are not there', async ({
  page,
  request,
}) => {
  await signUp(page)

  for (const path of ['/admin', '/business']) {
    await page.goto(path)
    await expect(page.getByText('404 Not Found')).toBeVisible()
  }
  for (const path of ['/api/admin/status', '/api/organization/dashboard']) {
    expect((await request.get(path)).status()).toBe(404)
  }
})
