import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { runAdmin } from '../../support/account/admin.ts'
import { openAdmin } from '../../support/account/admin-area.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { test as base, expect } from '../../support/journey.ts'

const desktop = { width: 1280, height: 860 }
const chart = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const today = (page: Page, name: string) => page.getByRole('slider', { name: `${name} by day` })

/** Journeys against a server that believes the addresses that the test sends. */
const test = base.extend({
  server: async ({ serverRunner }, use) => {
    const server = await serverRunner.start({ TRUSTED_PROXIES: '127.0.0.1' })
    await use(server)
    await server.stop()
  },
})

test('ADM-07 100 failed sign-ins and 30 wrong PINs appear exactly, by day and by network', async ({ page, server }) => {
  test.slow()
  const post = async (path: string, address: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
    return (await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status
  }
  const password = `Zk2.${randomBytes(32).toString('base64url')}`
  for (let index = 0; index < 100; index += 1) {
    const email = `nobody${index % 60}@example.org`
    expect(await post('/api/login', `203.0.113.${index % 50}`, { email, password })).toBe(401)
  }
  for (let index = 0; index < 30; index += 1)
    expect(await post('/api/sessions/join', `198.51.100.${index}`, { session_pin: String(200_000 + index) })).toBe(404)
  const banned = await createAccount(server.url)
  await runAdmin(server, 'ban', banned.email)
  await openAdmin(page, server)

  await page.goto('/admin?tab=security')

  await expect(today(page, 'Failed sign-ins')).toHaveAttribute('aria-valuetext', /: 100 so far$/)
  await expect(today(page, 'Wrong PINs')).toHaveAttribute('aria-valuetext', /: 30 so far$/)
  await expect(today(page, 'Bans')).toHaveAttribute('aria-valuetext', /: 1 so far$/)
  await expect(today(page, 'Wrong codes')).toHaveAttribute('aria-valuetext', /: 0 so far$/)
  const networks = page.getByRole('table', { name: 'Networks' }).locator('tbody').getByRole('row')
  await expect(networks).toHaveCount(2)
  await expect(networks.nth(0)).toContainText(/Network [0-9a-f]{6}\s*100/)
  await expect(networks.nth(1)).toContainText('30')
  await expect(page.locator('body')).not.toContainText('203.0.113')
  const entries = page.getByRole('table', { name: 'Audit log' }).locator('tbody').getByRole('row')
  await expect(entries).toHaveCount(2)
  await expect(entries.nth(0)).toContainText('Make admin')
  await expect(entries.nth(1)).toContainText(/^Ban.*Command line.*Done/)
  await expect(entries.nth(1).getByRole('link', { name: banned.email })).toBeVisible()
  await expect(page.getByText(/^Unbroken when checked at/)).toBeVisible()
  await expectAccessible(page, 'security')
  await page.setViewportSize(desktop)

  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Refused')
  await expect(page.getByText('No entries match.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all entries' }).press('Enter')
  await expect(entries).toHaveCount(2)
  await page.getByRole('button', { name: 'Table: Failed sign-ins' }).press('Enter')
  await expect(page.getByRole('table', { name: 'Failed sign-ins by day' })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('list', { name: 'Networks' }).getByRole('listitem')).toHaveCount(2)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('ADM-07 security on a new server is empty, and says what cannot be loaded', async ({ page, server }) => {
  await openAdmin(page, server)
  await page.goto('/admin?tab=security')
  await expect(page.getByText('No failed attempts in these days')).toBeVisible()
  await expect(chart(page, 'Failed sign-ins')).toBeVisible()

  const silent = { status: 500, json: { success: false, code: 'INTERNAL', error: '' } }
  await page.route('**/api/admin/security*', (route) => route.fulfill(silent))
  await page.route('**/api/admin/audit*', (route) => route.fulfill(silent))
  await page.reload()
  for (const text of [
    'Failed to load the security figures',
    'Failed to load the networks',
    'Failed to load the audit log',
  ])
    await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible()
})
