import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000

/** Answers the second step with this code. */
export async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
}

/** Answers the second step with a code from paper. */
export async function giveBackupCode(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByRole('textbox', { name: 'Backup code' }).fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
}

/** Adds an app as the person who scans its picture would, and stands for that app from then on. */
export async function addApp(page: Page) {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = await dialog.locator('.select-all').textContent()
  const app = new TOTP({ secret: Secret.fromBase32(secret ?? '') })
  const stepNow = () => Math.floor(Date.now() / stepMs)
  let lastStep = 0
  const codeOf = (step: number) => {
    lastStep = step
    return app.generate({ timestamp: step * stepMs })
  }
  await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(codeOf(stepNow()))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'My authenticator app' })).toBeVisible()

  return {
    secret: app.secret,
    /** The code of a step after the last one that was given, which clocks that differ a little already take. */
    next: () => codeOf(Math.max(lastStep + 1, stepNow())),
    /** Waits for a code that neither was used nor is refused as too early. */
    async fresh() {
      while (stepNow() < lastStep) await new Promise((resolve) => setTimeout(resolve, 500))
      return codeOf(Math.max(lastStep + 1, stepNow()))
    },
  }
}

/** Makes backup codes in Settings and keeps them, where an app is set up already. */
export async function makeBackupCodes(page: Page): Promise<string[]> {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Make backup codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your backup codes' })
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const codes = await dialog.getByRole('listitem').allTextContents()
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('10 codes are left.')).toBeVisible()
  return codes
}
