import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { createAccount, newEmail } from '../../support/account/account.ts'
import { openAdmin, userCard, userRows, viewUser } from '../../support/account/admin-area.ts'
import { openFiles, openNewAccount } from '../../support/account/open-files.ts'
import { addMember, businessButton, buySeats, memberRow } from '../../support/account/organization.ts'
import { enterPassword } from '../../support/account/users.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { expect, test } from '../../support/journey.ts'
import type { RunningServer } from '../../support/server/server.ts'

const question = (page: Page) => page.getByRole('alertdialog', { name: /^Delete .*\?$/ })
const confirmButton = (page: Page) => question(page).getByRole('button', { name: 'Delete user' })
const typedEmail = (page: Page) => question(page).getByRole('textbox', { name: 'Type the email address to confirm' })
const desktop = { width: 1280, height: 860 }

async function openQuestion(page: Page): Promise<void> {
  await userCard(page, 'Delete user').getByRole('button', { name: 'Delete user' }).click()
  await expect(question(page)).toBeVisible()
}

/** Renames the table in which the test provider has its subscriptions, so that it cannot be asked or can be again. */
function renameSubscriptions({ dataFolder }: RunningServer, from: string, to: string): void {
  const database = new DatabaseSync(join(dataFolder, 'sallyport.db'), { timeout: 5000 })
  database.exec(`alter table ${from} rename to ${to}`)
  database.close()
}

test('ADM-04 T232 an admin deletes a user with the keyboard, and only after typing the address', async ({
  page,
  server,
  anotherBrowser,
}) => {
  test.slow()
  await openAdmin(page, server)
  const otherPage = await (await anotherBrowser()).newPage()
  const other = await openNewAccount(otherPage, server.url)
  await other.upload(new File(['eleven byte'], 'minutes.txt'))
  await viewUser(page, other.email)

  await tabTo(page, /^\s*Delete user\s*$/)
  await page.keyboard.press('Enter')
  await expect(question(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(question(page)).toContainText('Their 1 file (11 Bytes), shares and messages, their subscription')
  await expect(question(page).getByRole('radio')).toHaveCount(0)
  await expectAccessible(page, 'question')
  await page.setViewportSize(desktop)
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeHidden()
  await expect(userCard(page, 'Delete user').getByRole('button', { name: 'Delete user' })).toBeFocused()

  await openQuestion(page)
  await expect(confirmButton(page)).toBeDisabled()
  await tabTo(page, /Type the email address/)
  await page.keyboard.type(`x${other.email}`)
  await expect(confirmButton(page)).toBeDisabled()
  await typedEmail(page).fill(` ${other.email.toUpperCase()} `)
  await expect(confirmButton(page)).toBeEnabled()
  await tabTo(page, /^\s*Delete user\s*$/)
  await page.keyboard.press('Enter')

  await expect(page.getByText(/(is|was) deleted\.$/)).toBeVisible()
  await expect(page).toHaveURL(/\/admin\?tab=users/)
  await expect(page.getByText('No users match.')).toBeVisible()
  await expect(otherPage.getByText('Your session has expired. Please log in again.')).toBeVisible()
  await enterPassword(otherPage, other, server.url)
  await expect(otherPage.getByRole('alert')).not.toBeEmpty()
})

test('ADM-04 T232 a deletion that waits for the payment provider shows its steps, and is retried', async ({
  page,
  server,
}) => {
  test.slow()
  await openAdmin(page, server)
  const owner = await createAccount(server.url)
  await buySeats(server.url, owner)
  await viewUser(page, owner.email)
  renameSubscriptions(server, 'test_subscriptions', 'hidden_subscriptions')

  await openQuestion(page)
  await expect(question(page)).toContainText('They own')
  await expect(question(page).getByRole('radio', { name: 'Close it' })).toBeChecked()
  await typedEmail(page).fill(owner.email)
  await confirmButton(page).click()

  const card = userCard(page, 'Delete user')
  await expect(card.getByRole('status')).toHaveText('Step 2 of 5: Leave or close the organization')
  await expect(card.getByRole('alert')).toContainText('This step failed (INTERNAL).')
  await expect(card.getByRole('definition')).toHaveText(['Done', 'Failed', 'Waiting', 'Waiting', 'Waiting'])
  await expect(page.getByRole('button', { name: 'Ban' })).toHaveCount(0)
  await expectAccessible(page, 'deletion')
  await page.setViewportSize(desktop)
  await page.getByRole('link', { name: 'Users' }).first().click()
  await expect(userRows(page)).toContainText('Being deleted')
  await page.goBack()
  const retried = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await card.getByRole('button', { name: 'Try again' }).click()
  expect(await (await retried).json()).toMatchObject({ state: 'deleting' })

  renameSubscriptions(server, 'hidden_subscriptions', 'test_subscriptions')
  await expect(page).toHaveURL(/\/admin\?tab=users/, { timeout: 60_000 })
  await expect(page.getByText('The user was deleted.')).toBeVisible()
  await expect(page.getByText('No users match.')).toBeVisible()
})

test('ADM-04 P18 the organization of a deleted owner goes to the member who was chosen', async ({
  page,
  server,
  anotherBrowser,
}) => {
  test.slow()
  await openAdmin(page, server)
  const [owner, first, second] = [
    await createAccount(server.url, newEmail()),
    await createAccount(server.url, newEmail()),
    await createAccount(server.url, newEmail()),
  ]
  await buySeats(server.url, owner)
  await addMember(server.url, owner, first)
  await addMember(server.url, owner, second)
  await viewUser(page, owner.email)

  await openQuestion(page)
  await question(page).getByText('Hand it to').click()
  await expect(question(page).getByRole('combobox', { name: 'New owner' }).getByRole('option')).toHaveText([
    first.email,
    second.email,
  ])
  await question(page).getByRole('combobox', { name: 'New owner' }).selectOption(second.email)
  await typedEmail(page).fill(owner.email)
  await expectAccessible(page, 'choice')
  await page.setViewportSize(desktop)
  await confirmButton(page).click()
  await expect(page.getByText(/(is|was) deleted\.$/)).toBeVisible()
  const otherPage = await (await anotherBrowser()).newPage()
  await openFiles(otherPage, second, server.url)
  await businessButton(otherPage).click()
  await expect(memberRow(otherPage, second.email)).toContainText('Owner')
  await expect(memberRow(otherPage, owner.email)).toHaveCount(0)
})
