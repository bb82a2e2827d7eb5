import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { createAccount } from '../support/account.ts'
import { expect, test } from '../support/journey.ts'
import { expectFiles, fileRow, fillSignIn, passwordBox, signIn, signOut } from '../support/people.ts'

const stepMs = 30_000

test('ACC-18 T076 an authenticator app is added, asked for at the next sign-in, refuses a code twice and is removed', async ({
  page,
  server,
}) => {
  test.setTimeout(180_000)
  const account = await createAccount(server.url)
  await account.upload(new File(['x'], 'behind two steps.txt'), 60)
  await signIn(page, account)
  const codes = await addApp(page)
  await signOut(page)

  await enterPassword(page, account)
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
  await giveCode(page, '000000')
  await expect(page.getByRole('alert')).toContainText('This code is not right.')
  const second = codes.next()
  await giveCode(page, second)
  await expect(fileRow(page, 'behind two steps.txt')).toBeVisible()

  await signOut(page)
  await enterPassword(page, account)
  await giveCode(page, second)
  await expect(page.getByRole('alert')).toContainText('This code is not right.')
  await page.getByRole('button', { name: 'Back to Sign In' }).click()
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('sallyport-auth'))).toBeNull()

  await enterPassword(page, account)
  await giveCode(page, await codes.fresh())
  await expectFiles(page)
  await page.goto('/settings')
  await page.getByRole('button', { name: /^Remove: My authenticator app/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No second step is set up.')).toBeVisible()
  await signOut(page)
  await enterPassword(page, account)
  await expectFiles(page)
})

test('ACC-18 a page reloaded between password and code asks for the code, then for the password once more', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  const codes = await addApp(page)
  await signOut(page)
  await enterPassword(page, account)
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()

  await page.reload()
  await giveCode(page, codes.next())
  await expect(page.getByRole('heading', { name: 'Unlock your files' })).toBeVisible()
  await passwordBox(page, 'Password').fill(account.password)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expectFiles(page)
})

test('ACC-18 backup codes are shown once, stand in for the app once each, and new ones replace them', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await addApp(page)
  await page.goto('/settings')
  await expect(page.getByText('You have no backup codes.')).toBeVisible()
  await page.getByRole('button', { name: 'Make backup codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your backup codes' })
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const codes = await dialog.getByRole('listitem').allTextContents()
  expect(new Set(codes).size).toBe(10)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('10 codes are left.')).toBeVisible()
  await signOut(page)

  const [first = ''] = codes
  await enterPassword(page, account)
  await giveBackupCode(page, first)
  await expectFiles(page)
  await page.goto('/settings')
  await expect(page.getByText('9 codes are left.')).toBeVisible()
  await signOut(page)

  await enterPassword(page, account)
  await giveBackupCode(page, first)
  await expect(page.getByRole('alert')).toHaveText('This backup code is not valid or was used before')
})

async function enterPassword(page: Page, account: { email: string; password: string }): Promise<void> {
  await page.goto('/')
  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code' }).fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
}

async function giveBackupCode(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByRole('textbox', { name: 'Backup code' }).fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
}

/** Adds an app as the person who scans its picture would, and stands for that app from then on. */
async function addApp(page: Page) {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = await dialog.locator('.select-all').textContent()
  const app = new TOTP({ secret: Secret.fromBase32(secret ?? '') })
  const addedAt = Date.now()
  await dialog.getByRole('textbox', { name: 'Code' }).fill(app.generate({ timestamp: addedAt }))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'My authenticator app' })).toBeVisible()

  return {
    /** The code of the step after the first, which clocks that differ a little already take. */
    next: () => app.generate({ timestamp: addedAt + stepMs }),
    /** Waits for a code that neither was used nor is refused as too early. */
    async fresh() {
      const from = (Math.floor(addedAt / stepMs) + 2) * stepMs
      while (Date.now() < from - stepMs) await new Promise((resolve) => setTimeout(resolve, 500))
      return app.generate({ timestamp: from })
    },
  }
}
