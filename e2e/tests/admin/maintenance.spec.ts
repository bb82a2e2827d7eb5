import { existsSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { confirmQuestion, openAdmin } from '../../support/account/admin-area.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { createOrphan } from '../../support/files/orphan.ts'
import { expect, test } from '../../support/journey.ts'

const desktop = { width: 1280, height: 860 }

test('ADM-01 ADM-04 an admin removes what is orphaned and what has expired', async ({ page, server }) => {
  const orphan = createOrphan(server.dataFolder)
  await openAdmin(page, server)
  await page.goto('/admin?tab=maintenance')
  await expect(page.getByRole('heading', { name: 'Cleanup' })).toBeVisible()
  await expectAccessible(page, 'maintenance')
  await page.setViewportSize(desktop)

  await page.getByRole('button', { name: 'Clean up: Orphaned' }).click()
  await page.keyboard.press('Escape')
  expect(existsSync(orphan)).toBe(true)
  await page.getByRole('button', { name: 'Clean up: Orphaned' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await confirmQuestion(page, 'Remove orphaned bytes now?', 'Clean up')
  await expect(result(page)).toHaveText('Removed: 1 file (100 Bytes) and 0 other entries.')
  expect(existsSync(orphan)).toBe(false)

  await page.getByRole('button', { name: 'Clean up: Expired' }).click()
  await confirmQuestion(page, 'Remove expired files now?', 'Clean up')
  await expect(result(page)).toHaveText('Removed: 0 files (0 Bytes) and 0 other entries.')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('ADM-04 ADM-06 a long cleanup shows what it has removed and can be stopped, and a failed one says so', async ({
  page,
  server,
}) => {
  await openAdmin(page, server)
  await page.goto('/admin?tab=maintenance')
  let calls = 0
  await page.route('**/api/admin/cleanup', async (route) => {
    calls += 1
    if (calls === 3) return
    const removed = { files: 200, bytes: 1_048_576, entries: 3 }
    await route.fulfill({ json: { success: true, message: 'Removed', removed, complete: false } })
  })
  await page.getByRole('button', { name: 'Clean up: Both' }).click()
  await confirmQuestion(page, 'Remove both now?', 'Clean up')
  await expect(result(page)).toHaveText('Cleaning up... 400 files (2.00 MB) removed so far')
  await expect(page.getByRole('button', { name: 'Clean up: Expired' })).toBeDisabled()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(result(page)).toHaveText('Stopped. Removed before: 400 files (2.00 MB).')

  await page.unroute('**/api/admin/cleanup')
  const silent = { status: 500, json: { success: false, code: 'INTERNAL', error: '' } }
  await page.route('**/api/admin/cleanup', (route) => route.fulfill(silent))
  await page.getByRole('button', { name: 'Clean up: Expired' }).click()
  await confirmQuestion(page, 'Remove expired files now?', 'Clean up')
  await expect(page.getByText('Cleanup failed')).toBeVisible()
})

test('ADM-01 T152 a wrong clock is shown on every tab until an admin confirms the time', async ({ page, server }) => {
  await openAdmin(page, server)
  await page.route('**/api/admin/stats', async (route) => {
    const stats = await (await route.fetch()).json()
    const actual = Date.UTC(2027, 0, 5, 12)
    await route.fulfill({ json: { ...stats, clock_jump: { expected: Date.UTC(2026, 11, 5, 12), actual } } })
  })
  for (const tab of ['overview', 'users', 'maintenance']) {
    await page.goto(`/admin?tab=${tab}`)
    await expect(page.getByRole('alert').filter({ hasText: 'Nothing is deleted until' })).toContainText(
      '5 January 2027',
    )
  }
  await expectAccessible(page, 'a wrong clock')
  await page.setViewportSize(desktop)
  await page.unroute('**/api/admin/stats')
  await page.getByRole('button', { name: 'Confirm time' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm time' }).click()
  await expect(page.getByText('Nothing is deleted until')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeFocused()
})

const result = (page: Page) => page.getByRole('region', { name: 'Cleanup' }).getByRole('status')
