import { openNewAccount } from '../../support/account/open-files.ts'
import { expect, test } from '../../support/journey.ts'
import { connect, directConnectionOptions, openPortalPage } from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

test('POR-09 SHL-04 closing a portal returns both users to the menu within 2 seconds', async ({
  page,
  anotherBrowser,
  server,
}) => {
  await page.context().grantPermissions(['camera'], { origin: server.url })
  await openNewAccount(page)
  await page.getByRole('link', { name: 'Portal' }).click()
  const visitor = await openPortalPage(await anotherBrowser(), server.url)
  await connect(page, visitor)
  await expect(page.getByRole('link', { name: 'Portal' })).toHaveAttribute('aria-current', 'page')

  await visitor.getByRole('button', { name: 'Close Portal' }).click()

  await expect(page.getByRole('button', { name: 'Create Portal' })).toBeVisible({ timeout: 2000 })
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(visitor.getByRole('tab', { name: 'Sign In' })).toBeVisible({ timeout: 2000 })
})
