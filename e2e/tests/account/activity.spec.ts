import type { Page } from '@playwright/test'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { signIn } from '../../support/account/users.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { expect, test } from '../../support/journey.ts'

const activityPane = (page: Page) => page.getByRole('region', { name: 'Activity' })

test('ADM-03 what happened in an account is listed in its settings, without names of files', async ({
  page,
  folder,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  const { call, accountKey } = account
  const id = await account.upload(new File(['minutes of a meeting'], 'minutes.txt'))
  await account.upload(new File(['x'.repeat(2048)], 'notes.txt'))
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  const link = await shareFile(call, { id, encryptedFileKey, accountKey, origin: server.url })
  const recipient = await (await anotherBrowser()).newPage()
  await recipient.goto(link)
  await saveDownload(recipient, folder, () => recipient.getByRole('button', { name: 'Download' }).click())
  await signIn(page, account)
  await call(files.removeAll, {})

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()

  const entries = activityPane(page).getByRole('list', { name: 'Recent activity' }).getByRole('listitem')
  await expect(entries.first()).toContainText('Deleted 2 files, 2.02 KB')
  await expect(entries).toContainText([
    'Deleted 2 files, 2.02 KB',
    'Signed in',
    '1 download with a share link, 20 Bytes',
    'Created a share link',
    'Uploaded 2 files, 2.02 KB',
    'Signed in',
  ])
  await expect(entries.first()).toContainText(String(new Date().getFullYear()))
  await expect(activityPane(page)).not.toContainText('minutes.txt')
})

test('ADM-03 an account without activity says so', async ({ page, server }) => {
  await signIn(page, await createAccount(server.url))
  await page.route('**/api/account/activity', (route) => route.fulfill({ json: { success: true, activity: [] } }))

  await page.goto('/settings')

  await expect(activityPane(page).getByText('No activity in the last 90 days.')).toBeVisible()
})

test('a failed list of activity shows an error and can be retried', async ({ page, server }) => {
  await signIn(page, await createAccount(server.url))
  await page.route('**/api/account/activity', (route) => route.fulfill({ status: 403, body: 'a proxy in between' }))
  await page.goto('/settings')
  await expect(activityPane(page).getByRole('alert')).toBeVisible()

  await page.unrouteAll()
  await activityPane(page).getByRole('button', { name: 'Retry' }).click()

  await expect(activityPane(page).getByText('Signed in').first()).toBeVisible()
})
