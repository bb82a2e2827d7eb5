import { readFileSync } from 'node:fs'
import { createAccount } from '../../support/account/account.ts'
import { openAdmin } from '../../support/account/admin-area.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { expect, test } from '../../support/journey.ts'

const desktop = { width: 1280, height: 860 }

test('ADM-07 analytics shows what happened as charts, tables and files, by keyboard and on both widths', async ({
  page,
  server,
  folder,
}) => {
  test.slow()
  const account = await createAccount(server.url)
  await account.upload(new File(['eleven byte'], 'minutes.txt'))
  await account.upload(new File(['four'], 'notes.txt'))
  await openAdmin(page, server)
  await page.goto('/admin?tab=analytics')

  const chart = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(chart('Uploads')).toContainText('2')
  await expect(chart('Uploaded')).toContainText('15 Bytes')
  await expect(page.getByText(/^Counted since .* midnight UTC\./)).toBeVisible()
  await expectAccessible(page, 'analytics')
  await page.setViewportSize(desktop)

  const slider = page.getByRole('slider', { name: 'Uploads by day' })
  await slider.focus()
  await expect(slider).toHaveAttribute('aria-valuetext', /: 2 so far$/)
  await page.keyboard.press('ArrowLeft')
  await expect(slider).toHaveAttribute('aria-valuetext', /: 0$/)
  await page.keyboard.press('Home')
  await expect(slider).toHaveValue('0')

  await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 7 days')
  await expect(page).toHaveURL(/days=7/)
  await tabTo(page, /Table: Uploads/)
  await page.keyboard.press('Enter')
  const rows = page.getByRole('table', { name: 'Uploads by day' }).locator('tbody').getByRole('row')
  await expect(rows).toHaveCount(7)
  await expect(rows.first()).toContainText('2')
  const csv = page.getByRole('button', { name: 'CSV: Uploads', exact: true })
  const saved = await saveDownload(page, folder, () => csv.click())
  expect(saved.name).toBe('sallyport-uploads-7-days.csv')
  const lines = readFileSync(saved.path, 'utf8').trimEnd().split('\r\n')
  expect(lines).toHaveLength(8)
  expect(lines[0]).toBe('day,uploads')
  expect(lines.at(-1)).toMatch(/^\d{4}-\d{2}-\d{2},2$/)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(chart('Portals')).toBeAttached()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('ADM-07 analytics that cannot be loaded says so', async ({ page, server }) => {
  await openAdmin(page, server)
  const silent = { status: 500, json: { success: false, code: 'INTERNAL', error: '' } }
  await page.route('**/api/admin/analytics*', (route) => route.fulfill(silent))
  await page.goto('/admin?tab=analytics')
  await expect(page.getByRole('alert')).toContainText('Failed to load analytics')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('region', { name: 'Uploads', exact: true })).toBeVisible()
})
