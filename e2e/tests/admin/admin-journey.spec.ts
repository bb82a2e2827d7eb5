import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { newEmail, newPassword } from '../../support/account/account.ts'
import { confirmQuestion, openAdmin, userCard, viewUser } from '../../support/account/admin-area.ts'
import { claimInvitation } from '../../support/account/claim-invitation.ts'
import { createOrphan } from '../../support/files/orphan.ts'
import { expect, test } from '../../support/journey.ts'

test('ADM-01 ADM-04 ADM-05 ADM-06 T232 T235 T236 an admin invites a person, cleans up and deletes the person again', async ({
  page,
  server,
  anotherBrowser,
}) => {
  test.slow()
  const orphan = createOrphan(server.dataFolder)
  await openAdmin(page, server)
  await page.goto('/admin')
  await expect(page.getByText(/^Updated \d+ s ago$/)).toBeVisible()

  await page.getByRole('link', { name: 'Licenses' }).click()
  const description = `For ${randomUUID().slice(0, 8)}`
  await page.getByRole('textbox', { name: 'Description' }).fill(description)
  await page.getByRole('button', { name: 'Generate magic link' }).click()
  const code = page.getByRole('status').locator('code')
  await expect(code).toHaveText(/\/invite\//)

  const other = await (await anotherBrowser()).newPage()
  const person = { email: newEmail(), password: newPassword() }
  await claimInvitation(other, (await code.textContent()) ?? '', person)
  const file = { name: 'minutes.txt', mimeType: 'text/plain', buffer: Buffer.from('eleven byte') }
  await other.locator('input[type=file]').first().setInputFiles(file)
  await expect(other.getByText('minutes.txt').first()).toBeVisible()
  await expect.poll(() => filesOf(server.dataFolder, person.email)).toHaveLength(1)
  const [fileId = ''] = filesOf(server.dataFolder, person.email)
  const stored = join(server.dataFolder, 'volumes', 'main', fileId.slice(-2), fileId)
  expect(existsSync(stored)).toBe(true)

  await page.getByRole('link', { name: 'Maintenance' }).click()
  await page.getByRole('button', { name: 'Clean up: Both' }).click()
  await confirmQuestion(page, 'Remove both now?', 'Clean up')
  await expect(page.getByRole('region', { name: 'Cleanup' }).getByRole('status')).toContainText('Removed: 1 file')
  expect([existsSync(orphan), existsSync(stored)]).toEqual([false, true])

  await viewUser(page, person.email)
  await userCard(page, 'Delete user').getByRole('button', { name: 'Delete user' }).click()
  const question = page.getByRole('alertdialog', { name: /^Delete .*\?$/ })
  await question.getByRole('textbox', { name: 'Type the email address to confirm' }).fill(person.email)
  await question.getByRole('button', { name: 'Delete user' }).click()

  await expect(page.getByText(/(is|was) deleted\.$/)).toBeVisible()
  await expect(page.getByText('No users match.')).toBeVisible()
  await expect(other.getByText('Your session has expired. Please log in again.')).toBeVisible()
  await expect.poll(() => filesOf(server.dataFolder, person.email)).toEqual([])
  await expect.poll(() => existsSync(stored)).toBe(false)
  expect(rowsWith(server.dataFolder, 'users', 'email', person.email)).toBe(0)
  expect(rowsWith(server.dataFolder, 'objects', 'file_id', fileId)).toBe(0)
})

/** The ids of the files that a user owns, read from the database of the server. */
function filesOf(dataFolder: string, email: string): string[] {
  const database = new DatabaseSync(join(dataFolder, 'sallyport.db'), { timeout: 5000, readOnly: true })
  const rows = database
    .prepare('select files.id from files join users on users.id = files.owner_id where users.email = ?')
    .all(email)
  database.close()
  return rows.map(({ id }) => String(id))
}

function rowsWith(dataFolder: string, table: string, column: string, value: string): number {
  const database = new DatabaseSync(join(dataFolder, 'sallyport.db'), { timeout: 5000, readOnly: true })
  const row = database.prepare(`select count(*) as count from ${table} where ${column} = ?`).get(value)
  database.close()
  return Number(row?.['count'])
}
