import { Secret, TOTP } from 'otpauth'
import { createAccount, newEmail, newPassword } from '../../support/account/account.ts'
import { createMagicLink } from '../../support/account/admin.ts'
import { expect, test } from '../../support/account/mail-journey.ts'
import { linkInEmail } from '../../support/account/mail-server.ts'
import { followRecoveryLink, requestRecoveryLink, saveRecoveryKey } from '../../support/account/recovery.ts'
import { enterPassword, fillSignIn, passwordField, signIn } from '../../support/account/users.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'

const day = 86_400_000

test.describe('before addresses are confirmed', () => {
  test('sign-up, the rejected sign-in and the confirmation page are accessible in both themes and sizes', async ({
    page,
    mail,
  }) => {
    const credentials = { email: newEmail(), password: newPassword() }
    await page.goto('/')
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await page.getByRole('button', { name: 'Start trial' }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill(credentials.email)
    await passwordField(page, 'Password').fill(credentials.password)
    await passwordField(page, 'Confirm password').fill(credentials.password)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    await expectAccessible(page, 'check your email')

    await page.getByRole('button', { name: 'Go to Sign In' }).click()
    await fillSignIn(page, credentials)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Resend email' })).toBeVisible()
    await expectAccessible(page, 'unverified')

    await page.route('**/auth/v1/verify', () => undefined)
    await page.goto(linkInEmail(await mail.nextEmailTo(credentials.email), '/auth/confirm'))
    await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible()
    await expectAccessible(page, 'confirmation')
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Verifying your email...' })).toBeVisible()
    await expectAccessible(page, 'verifying')

    await page.goto('/auth/confirm?error_code=otp_expired&error_description=The+link+has+expired')
    await page.getByRole('button', { name: 'Send a new link' }).click()
    await expectAccessible(page, 'confirmation failed')
    await page.clock.install()
    await pauseClock(page)
    await page.goto('/?verified=true#signin')
    await stepUntilVisible(page.getByText('Email Verified Successfully!'))
  })
})

test.describe('with an account', () => {
  test.use({ verifyAddresses: false })

  test('password recovery is accessible with and without a recovery key', async ({ page, mail, server }) => {
    const account = await createAccount(server.url)
    await account.upload(new File(['x'], 'x.txt'), 60)
    await page.goto('/#forgot')
    await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
    await expectAccessible(page, 'forgotten password')
    await saveRecoveryKey(account)
    await followRecoveryLink(page, await requestRecoveryLink(page, account.email, mail))
    await expect(page.getByRole('textbox', { name: 'Recovery key' })).toBeVisible()
    await passwordField(page, 'New password').fill('abc')
    await page.getByRole('button', { name: 'Show password' }).first().click()
    await expectAccessible(page, 'new password with the recovery key')
    await page.getByLabel('I don’t have it').check()
    await expect(page.getByText('Your file can no longer be decrypted')).toBeVisible()
    await expectAccessible(page, 'new password without the recovery key')
    await page.evaluate(() => sessionStorage.clear())
    await page.goto('/set-password')
    await expect(page.getByRole('alert')).toContainText('Invalid or missing password setup link')
    await expectAccessible(page, 'invalid password link')
  })

  test('an invitation is accessible while it is valid and after it has expired', async ({ page, server }) => {
    await page.goto(await createMagicLink(server, '--type', 'business', '--seats', '5'))
    await expect(page.getByRole('heading', { name: 'You’re invited' })).toBeVisible()
    await expectAccessible(page, 'invitation')
    await page.goto('/invite/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
    await expect(page.getByRole('alert')).toBeVisible()
    await expectAccessible(page, 'expired invitation')
  })

  test('two-factor authentication is accessible in Settings and at sign-in', async ({ page, server }) => {
    const account = await createAccount(server.url)
    await signIn(page, account)
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    await expectAccessible(page, 'naming an app')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    await expectAccessible(page, 'setting up an app')
    const secret = await page.getByRole('dialog').locator('.select-all').textContent()
    const app = new TOTP({ secret: Secret.fromBase32(secret ?? '') })
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill(app.generate())
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'Create backup codes' }).click()
    await expect(page.getByRole('dialog', { name: 'Your backup codes' })).toBeVisible()
    await expectAccessible(page, 'backup codes')
    await page.getByRole('button', { name: 'I’ve saved them' }).click()
    await expectAccessible(page, 'settings with two-factor authentication')

    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await enterPassword(page, account)
    await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
    await expectAccessible(page, 'two-factor authentication')
  })

  test('the session expiry warning and the plans are accessible', async ({ page, server }) => {
    const account = await createAccount(server.url)
    await signIn(page, account)
    await page.evaluate(() => {
      const policy = JSON.parse(localStorage.getItem('sessionPolicy') ?? '{}')
      localStorage.setItem('sessionPolicy', JSON.stringify({ ...policy, expiresAtMs: Date.now() + 240_000 }))
    })
    await expect(page.getByRole('button', { name: 'Stay signed in' })).toBeVisible()
    await expectAccessible(page, 'warning')
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    await expect(page.getByRole('dialog', { name: 'Stay signed in' })).toBeVisible()
    await expectAccessible(page, 'stay signed in dialog')

    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await server.setClock(8 * day)
    await enterPassword(page, account)
    await expect(page.getByRole('dialog', { name: 'Trial Expired - Upgrade Required' })).toBeVisible()
    await expectAccessible(page, 'plans')
    await page.getByRole('radio', { name: /Business/ }).check()
    await page.getByRole('button', { name: 'Upgrade Now' }).click()
    await expect(page.getByRole('dialog', { name: 'Organization Details' })).toBeVisible()
    await expectAccessible(page, 'organization')
    await page.goto('/upgrade?plan=another')
    await expect(page.getByRole('heading', { name: 'This plan doesn’t exist' })).toBeVisible()
    await expectAccessible(page, 'page of a plan')
  })
})
