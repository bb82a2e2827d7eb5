import { newEmail, newPassword } from '../../support/account/account.ts'
import { confirmQuestion, openAdmin } from '../../support/account/admin-area.ts'
import { claimInvitation } from '../../support/account/claim-invitation.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { expect, test } from '../../support/journey.ts'

const desktop = { width: 1280, height: 860 }

test('ADM-04 ORG-07 an admin makes a link, which is claimed in another browser, and ends another one', async ({
  page,
  server,
  anotherBrowser,
}) => {
  test.slow()
  await openAdmin(page, server)
  await page.goto('/admin?tab=licences')
  await expect(page.getByText('No invitations yet')).toBeVisible()
  await page.getByRole('textbox', { name: 'Expires after days' }).fill('31')
  await page.getByRole('button', { name: 'Generate magic link' }).click()
  await expect(page.getByText('Enter a whole number from 1 to 30')).toBeVisible()
  await page.getByRole('textbox', { name: 'Expires after days' }).fill('3')
  await page.getByRole('textbox', { name: 'Description' }).fill('For Mara')
  await page.getByRole('button', { name: 'Generate magic link' }).click()
  const code = page.getByRole('status').locator('code')
  await expect(code).toHaveText(/\/invite\/[\w-]{43}$/)
  const link = (await code.textContent()) ?? ''
  const offers = page.getByRole('region', { name: 'Invitations and keys' }).getByRole('listitem')
  await expect(offers.filter({ hasText: 'For Mara' })).toContainText('Open')
  await expectAccessible(page, 'licences')
  await page.setViewportSize(desktop)

  const other = await (await anotherBrowser()).newPage()
  const credentials = { email: newEmail(), password: newPassword() }
  await claimInvitation(other, link, credentials)

  await page.getByRole('combobox', { name: 'License type' }).selectOption('Nonprofit')
  await page.getByRole('button', { name: 'Generate magic link' }).click()
  await expect(offers).toHaveCount(2)
  await expect(offers.filter({ hasText: 'For Mara' })).toContainText('Claimed')
  await expect(code).not.toHaveText(link)
  await offers.filter({ hasText: 'Nonprofit' }).getByRole('button', { name: /^End/ }).click()
  await confirmQuestion(page, 'End this invitation?', 'End invitation')
  await expect(offers.filter({ hasText: 'Nonprofit' })).toContainText('Ended')

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(offers).toHaveCount(2)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('ADM-06 invitations that cannot be created or loaded say so', async ({ page, server }) => {
  await openAdmin(page, server)
  const silent = { status: 500, json: { success: false, code: 'INTERNAL', error: '' } }
  await page.route('**/api/admin/offers', (route) => route.fulfill(silent))
  await page.route('**/api/admin/magic-link', (route) => route.fulfill(silent))
  await page.goto('/admin?tab=licences')
  await expect(page.getByText('Failed to load invitations')).toBeVisible()
  await page.getByRole('button', { name: 'Generate magic link' }).click()
  await expect(page.getByText('Failed to generate magic link')).toBeVisible()
  await page.unroute('**/api/admin/magic-link')
  const elsewhere = { json: { success: true, magic_link: 'https://evil.example/x', expires_at: Date.now() } }
  await page.route('**/api/admin/magic-link', (route) => route.fulfill(elsewhere))
  await page.getByRole('button', { name: 'Generate magic link' }).click()
  await expect(page.getByText('Failed to generate magic link')).toBeVisible()
  await expect(page.getByText('evil.example')).toHaveCount(0)
})
