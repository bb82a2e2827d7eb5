import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { adminBackup } from '@sallyport/contract/admin-backup'
import { confirmQuestion, openAdmin } from '../../support/account/admin-area.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { test as base, expect } from '../../support/journey.ts'

const day = 24 * 3_600_000

/** Journeys against a server with a folder for backups. */
const test = base.extend<{ readonly backupFolder: string }>({
  backupFolder: async ({ folder }, use) => use(join(folder, 'backups')),
  server: async ({ serverRunner, backupFolder }, use) => {
    const server = await serverRunner.start({ BACKUP_DIR: backupFolder, BACKUP_TO: 'plain' })
    await use(server)
    await server.stop()
  },
})

const card = (page: Page) => page.getByRole('region', { name: 'Backup' })

const status = (page: Page, text: string | RegExp) => card(page).getByRole('status').filter({ hasText: text })

base('ADM-04 without settings the card says which ones a backup needs', async ({ page, server }) => {
  await openAdmin(page, server)
  await page.goto('/admin?tab=maintenance')
  await expect(card(page)).toContainText('set BACKUP_DIR to a folder and BACKUP_TO to the public keys')
  await expect(card(page).getByRole('button')).toHaveCount(0)
  await expectAccessible(page, 'backups that are not set up')
})

test('ADM-04 an admin makes a backup with the keyboard and sees how old, large and readable it is', async ({
  page,
  server,
  backupFolder,
}) => {
  await openAdmin(page, server)
  await page.goto('/admin?tab=maintenance')
  await expect(card(page)).toContainText('There’s no backup yet')
  await expectAccessible(page, 'no backup')
  await page.setViewportSize({ width: 1280, height: 860 })

  const button = card(page).getByRole('button', { name: 'Back up now' })
  await button.press('Enter')
  await expect(page.getByRole('alertdialog')).toContainText(`copied to ${backupFolder}`)
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  expect(existsSync(backupFolder)).toBe(false)

  await button.press('Enter')
  await confirmQuestion(page, 'Back up now?', 'Back up now')
  await expect(status(page, 'Backup complete.')).toBeVisible({ timeout: 30_000 })
  await expect(card(page)).toContainText('Not encrypted')
  await expect(card(page)).toContainText(/Size[\d.]+ [KM]B/)
  await expect(card(page)).toContainText('Last backupjust now')
  await expect(button).toBeFocused()
  await expectAccessible(page, 'a backup')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.route(`**${adminBackup.status.path}`, async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, latest: { ...answer.latest, time: Date.now() - 8 * day } } })
  })
  await page.reload()
  await expect(card(page)).toContainText('The last backup is more than 7 days old.')
})

test('ADM-04 a running backup shows its progress after a reload too, and can be stopped', async ({ page, server }) => {
  await openAdmin(page, server)
  const running = { since: Date.now(), step: 'objects', files: 120, total_files: 2000, is_stopping: false }
  await page.route(`**${adminBackup.status.path}`, async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, running } })
  })
  await page.goto('/admin?tab=maintenance')
  await expect(status(page, /^Copying files\.\.\.$/)).toBeVisible()
  await expect(card(page)).toContainText('120 of 2,000 files')
  await expect(card(page).getByRole('progressbar')).toBeVisible()
  await expectAccessible(page, 'a running backup')

  await page.reload()
  await expect(card(page).getByRole('progressbar')).toBeVisible()
  const stopped = page.waitForResponse(`**${adminBackup.stop.path}`)
  await card(page).getByRole('button', { name: 'Stop' }).click()
  // The server makes none.
  expect((await stopped).status()).toBe(409)
  await expect(card(page).getByRole('alert')).toContainText('No backup is running on this node.')
  // The page asks each second, also while the test ends.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('ADM-06 a backup that fails says what to do, and one that has just been started elsewhere is named', async ({
  page,
  server,
  backupFolder,
}) => {
  await openAdmin(page, server)
  await page.goto('/admin?tab=maintenance')
  await expect(card(page)).toContainText('There’s no backup yet')
  writeFileSync(backupFolder, '')
  await card(page).getByRole('button', { name: 'Back up now' }).click()
  await confirmQuestion(page, 'Back up now?', 'Back up now')
  await expect(card(page).getByRole('alert')).toContainText('The server can’t write to the folder of the backups.', {
    timeout: 30_000,
  })

  const refused = { success: false, code: 'BACKUP_RUNNING', error: 'A backup is already running' }
  await page.route(`**${adminBackup.start.path}`, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 409, json: refused }) : route.fallback(),
  )
  await card(page).getByRole('button', { name: 'Back up now' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Back up now' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('A backup is already running')
})
