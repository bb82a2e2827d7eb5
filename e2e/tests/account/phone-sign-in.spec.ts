import { createCaller } from '@sallyport/client/call'
import { accounts } from '@sallyport/contract/accounts'
import { authProvider } from '@sallyport/contract/auth-calls'
import { deriveLoginSecrets, fromBase64url } from '@sallyport/crypto'
import { createAccount, newPassword } from '../../support/account/account.ts'
import { enterMfaCode } from '../../support/account/mfa.ts'
import { openSettings } from '../../support/account/security.ts'
import { type SmsGateway, startSmsGateway } from '../../support/account/sms-gateway.ts'
import { enterPassword, expectFiles, signIn, signOut } from '../../support/account/users.ts'
import { expect, test as journey } from '../../support/journey.ts'
import { startServer } from '../../support/server/server.ts'

/** Journeys against a server that sends its text messages to a gateway of the test. */
const test = journey.extend<{ readonly smsGateway: SmsGateway }>({
  smsGateway: async ({ browserName: _ }, use) => {
    const smsGateway = await startSmsGateway()
    await use(smsGateway)
    await smsGateway.stop()
  },
  server: async ({ smsGateway }, use) => {
    const server = await startServer({ environment: { SMS_URL: smsGateway.url } })
    await use(server)
    await server.stop()
  },
})

const phone = '+491701234567'

test('ACC-18 a phone is added with a texted code, and the next sign-in sends a new one', async ({
  page,
  server,
  smsGateway,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await openSettings(page)
  await page.getByRole('button', { name: 'Add phone number' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a phone number' })
  await dialog.getByRole('textbox', { name: 'Phone number' }).fill('+49 170 123 45 67')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('We sent a code to +49 170 123 45 67. Enter it here.')).toBeVisible()
  const first = await smsGateway.nextCodeFor(phone)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(differentCode(first))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Incorrect code.')
  await dialog.getByRole('textbox', { name: 'Code' }).fill(first)
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'My phone' })).toContainText('Text message')
  await signOut(page)

  await enterPassword(page, account)
  await expect(page.getByText('Enter the code we sent to •••• 567.')).toBeVisible()
  await expect(page.getByText(/^Sent\. You can resend in \d+ s\.$/)).toBeVisible()
  const second = await smsGateway.nextCodeFor(phone)
  await enterMfaCode(page, differentCode(second))
  await expect(page.getByRole('alert')).toContainText('Incorrect code.')
  await enterMfaCode(page, second)
  await expectFiles(page)
})

test('ACC-03 a user who signed up with a phone number signs in with it in any notation', async ({
  page,
  server,
  smsGateway,
}) => {
  const password = newPassword()
  await registerByPhone(server.url, password)

  await enterPassword(page, { email: phone, password })
  await expect(page.getByRole('alert')).toBeVisible()
  await confirmPhone(server.url, await smsGateway.nextCodeFor(phone))
  await enterPassword(page, { email: '+49 (170) 123-45 67', password: newPassword() })
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
  await enterPassword(page, { email: '+49 (170) 123-45 67', password })
  await expectFiles(page)
  await signOut(page)
  await enterPassword(page, { email: '491701234567', password })
  await expectFiles(page)
})

const differentCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

const anonymousCaller = (url: string) => createCaller({ baseUrl: url, getAccessToken: async () => null, fetch })

/** The page creates accounts for email addresses only; a phone number is registered through the API. */
async function registerByPhone(url: string, password: string): Promise<void> {
  const { salt } = await anonymousCaller(url)(accounts.prelogin, { body: { phone } })
  const { credential } = await deriveLoginSecrets({ password, salt: fromBase64url(salt), profile: 2 })
  await anonymousCaller(`${url}/auth/v1`)(authProvider.signUp, { body: { phone, password: credential } })
}

async function confirmPhone(url: string, token: string): Promise<void> {
  await anonymousCaller(`${url}/auth/v1`)(authProvider.verify, { body: { type: 'sms', phone, token } })
}
