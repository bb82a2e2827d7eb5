import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from '../../support/account/account.ts'
import { dropZone, fileRow, signIn, signUp, uploads } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'

test('the landing page, the plans and the trial form are accessible in both themes and sizes', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  await expectAccessible(page, 'landing page')

  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page.getByRole('button', { name: 'Start trial' })).toBeVisible()
  await expectAccessible(page, 'plans')

  await page.getByRole('button', { name: 'Start trial' }).click()
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeVisible()
  await expectAccessible(page, 'trial form')
})

test('the files screen is accessible empty, filled, uploading, failed and while asking, in both themes and sizes', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  const file = await makeRandomFile({ folder, name: 'moving.bin', bytes: 100_000 })
  await signIn(page, account)
  await expect(page.getByText('Upload files to see them here')).toBeVisible()
  await expectAccessible(page, 'empty list')

  await account.upload(new File(['x'], 'facade-elevation-north.pdf'), 720)
  await account.upload(new File(['x'], 'report.txt'), 1)
  await expect(fileRow(page, 'report.txt')).toBeVisible()
  await expectAccessible(page, 'filled list')

  await page.route('**/api/upload', () => undefined)
  await dropFiles(page, page.locator('main'), [file.path])
  await expect(uploads(page).getByRole('progressbar')).toBeVisible()
  await expectAccessible(page, 'upload')

  await page.unrouteAll()
  await page.reload()
  await page.route('**/api/upload', (route) => route.fulfill({ status: 501, body: '' }))
  await page.setViewportSize({ width: 1280, height: 860 })
  await dropFiles(page, dropZone(page), [file.path])
  await expect(page.getByRole('alert')).toContainText('Failed to upload')
  await expectAccessible(page, 'failed upload')

  await page.getByRole('button', { name: /^(Delete All|All, delete)$/ }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectAccessible(page, 'delete dialog')
})

test('a shared file’s page is accessible in all its states, themes and sizes', async ({ page, server }) => {
  const account = await createAccount(server.url)
  const link = await createShareLink(server.url, account)
  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  await expectAccessible(page, 'ready')

  await page.route('**/api/share/*', (route) => (route.request().method() === 'GET' ? undefined : route.continue()))
  await page.getByRole('button', { name: 'Download' }).click()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await expectAccessible(page, 'downloading')

  await page.unrouteAll()
  await page.goto('about:blank')
  await page.goto(link.replace(/#.*/, ''))
  await expect(page.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible()
  await expectAccessible(page, 'key missing')

  await page.goto('about:blank')
  await page.goto(link.replace(/\/s\/[^#]+/, '/s/AAAAAAAAAAAAAAAAAAAAAA'))
  await expect(page.getByRole('heading', { name: 'File not found or expired' })).toBeVisible()
  await expectAccessible(page, 'not found')
})

test('settings, the menu, the unlock screen and both error screens are accessible in both themes and sizes', async ({
  page,
  context,
}) => {
  await signUp(page)
  await page.goto('/settings')
  await expect(page.getByRole('combobox', { name: 'File Expiration Time' })).toBeVisible()
  await expectAccessible(page, 'settings')

  await page.getByRole('button', { name: 'Your account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible()
  // A menu opens in a layer above the page, outside of its landmarks.
  await expectAccessible(page, 'menu', ['region'])
  await page.keyboard.press('Escape')

  const body = 'throw new Error("Broken")'
  await page.route('**/assets/files-area-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
  await expectAccessible(page, 'error screen')

  await page.goto('/no/such/place')
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await expectAccessible(page, 'router’s error screen')

  await page.close()
  const fresh = await context.newPage()
  await fresh.goto('/')
  await expect(fresh.getByRole('heading', { name: 'Unlock your files' })).toBeVisible()
  await expectAccessible(fresh, 'unlock screen')
})

async function createShareLink(origin: string, { call, accountKey, upload }: Account): Promise<string> {
  const id = await upload(new File(['x'], 'plans of the house.txt'), 60)
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  return shareFile(call, { id, encryptedFileKey, accountKey, origin })
}
