import type { Locator, Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openAdmin } from '../../support/account/admin-area.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { expect, test } from '../../support/journey.ts'

const desktop = { width: 1280, height: 860 }

/** The tile with this label. */
const figure = (page: Page, label: string): Locator =>
  page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) })

const service = (page: Page, label: string): Locator =>
  page.getByRole('region', { name: 'Services' }).locator('dl > div').filter({ hasText: label })

const licence = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Users by license' }).locator('dl > div').filter({ hasText: name })

test('ADM-01 ADM-05 the overview and the volumes show how the server runs, on both widths and by keyboard', async ({
  page,
  server,
}) => {
  test.slow()
  await createAccount(server.url)
  await openAdmin(page, server)
  await page.goto('/admin')

  await expect(page.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page')
  await expect(figure(page, 'CPU')).toContainText(/\d%/)
  await expect(figure(page, 'Memory')).toContainText(/\d GB of \d+(\.\d+)? GB/)
  await expect(figure(page, 'Disk')).toContainText('the fullest disk')
  await expect(figure(page, 'Users')).toContainText(/\d+ active in 24 h/)
  await expect(figure(page, 'Files')).toContainText('None yet')
  await expect(figure(page, 'Transfers')).toContainText('0 down')
  await expect(figure(page, 'Volumes')).toContainText(/ used$/)
  await expect(service(page, 'Proxy')).toContainText('None: you’re connected directly')
  await expect(licence(page, 'Trial')).toContainText(/[1-9]/)
  await expect(licence(page, 'VIP')).toContainText('0')
  await expect(page.getByText(/^Updated \d+ s ago$/)).toBeVisible()
  await expectAccessible(page, 'overview')
  await page.setViewportSize(desktop)

  await tabTo(page, /Volumes/)
  await page.keyboard.press('Enter')
  const volume = page.getByRole('region').filter({ hasText: 'Takes new files' })
  await expect(volume).toContainText('Orphaned files')
  await expect(volume).toContainText(server.dataFolder)
  await expectAccessible(page, 'volumes')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('combobox', { name: 'Sections' }).selectOption('Overview')
  await expect(figure(page, 'CPU')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('ADM-01 the overview is refreshed every 30 seconds, and is red above 80 %', async ({ page, server }) => {
  test.slow()
  await openAdmin(page, server)
  let asked = 0
  let disk = 80
  await page.route('**/api/admin/stats', async (route) => {
    asked += 1
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), cpu_usage: 12.34, disk_usage: disk } })
  })
  await page.goto('/admin')
  await expect(figure(page, 'CPU')).toContainText('12.3%')
  await expect(figure(page, 'Disk')).toContainText('80%')
  await expect(figure(page, 'Disk')).not.toContainText('High')

  disk = 80.1
  const startedAt = Date.now()
  await expect(figure(page, 'Disk')).toContainText('80.1%')
  await expect(figure(page, 'Disk')).toContainText('High')
  expect(Date.now() - startedAt).toBeGreaterThan(15_000)
  expect(asked).toBeLessThanOrEqual(3)
})

test('ADM-06 figures and volumes that cannot be loaded say so, and the last ones stay', async ({ page, server }) => {
  await openAdmin(page, server)
  const silent = { status: 500, json: { success: false, code: 'INTERNAL', error: '' } }
  await page.route('**/api/admin/stats', (route) => route.fulfill(silent))
  await page.route('**/api/admin/volumes', (route) => route.fulfill(silent))

  await page.goto('/admin')
  await expect(page.getByRole('alert')).toContainText('Failed to load stats')
  await page.goto('/admin?tab=volumes')
  await expect(page.getByRole('alert')).toContainText('Failed to load volumes')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Takes new files')).toBeVisible()
})
