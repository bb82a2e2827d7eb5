import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { openSettings } from './security.ts'

const stepMs = 30_000

/** Enters this code at the two-factor prompt. */
export async function enterMfaCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
}

/** Enters a backup code at the two-factor prompt. */
export async function enterBackupCode(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByRole('textbox', { name: 'Backup code' }).fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
}

/** Adds an authenticator app and generates its codes from then on. */
export async function addAuthenticatorApp(page: Page) {
  await openSettings(page)
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = await dialog.locator('.select-all').textContent()
  const app = new TOTP({ secret: Secret.fromBase32(secret ?? '') })
  const currentStep = () => Math.floor(Date.now() / stepMs)
  let lastStep = 0
  const codeOf = (step: number) => {
    lastStep = step
    return app.generate({ timestamp: step * stepMs })
  }
  await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(codeOf(currentStep()))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'My authenticator app' })).toBeVisible()

  return {
    secret: app.secret,
    /** The code of a later time step than the last one, which the server accepts within its clock tolerance. */
    nextCode: () => codeOf(Math.max(lastStep + 1, currentStep())),
    /** Waits for a code that is unused and not too early. */
    async unusedCode() {
      await expect
        .poll(currentStep, { message: 'the time step of the code', timeout: 3 * stepMs })
        .toBeGreaterThanOrEqual(lastStep)
      return codeOf(Math.max(lastStep + 1, currentStep()))
    },
  }
}

/** Creates backup codes in Settings, where an app is already set up. */
export async function createBackupCodes(page: Page): Promise<string[]> {
  await openSettings(page)
  await page.getByRole('button', { name: 'Create backup codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your backup codes' })
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const codes = await dialog.getByRole('listitem').allTextContents()
  await dialog.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('10 codes left.')).toBeVisible()
  return codes
}
