import { createCaller } from '@sallyport/client/call'
import { accounts } from '@sallyport/contract/accounts'
import { authProvider } from '@sallyport/contract/auth-calls'
import { deriveLoginSecrets, fromBase64url } from '@sallyport/crypto'
import { createAccount, newPassword } from '../support/account.ts'
import { expect, test as journey } from '../support/journey.ts'
import { enterPassword, expectFiles, signIn, signOut } from '../support/people.ts'
import { giveCode } from '../support/second-factor.ts'
import { startServer } from '../support/server.ts'
import { startTextGateway, type TextGateway } from '../support/text-gateway.ts'

/** Journeys on a server that sends its text messages to a gateway of the test's own. */
const test = journey.extend<{ readonly texts: TextGateway }>({
  texts: async ({ browserName: _ }, use) => {
    const texts = await startTextGateway()
    await use(texts)
    await texts.stop()
  },
  server: async ({ texts }, use) => {
    const server = await startServer({ environment: { SMS_URL: texts.url } })
    await use(server)
    await server.stop()
  },
})

const phone = '+491701234567'

test('ACC-18 a phone is added by the code of a text message, and a new code is sent to it at the next sign-in', async ({
  page,
  server,
  texts,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Add phone number' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a phone number' })
  await dialog.getByRole('textbox', { name: 'Phone number' }).fill('+49 170 123 45 67')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('A code was sent to +49 170 123 45 67. Enter it here.')).toBeVisible()
  const first = await texts.codeTo(phone)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(otherThan(first))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This code is not right.')
  await dialog.getByRole('textbox', { name: 'Code' }).fill(first)
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'My phone' })).toContainText('Text message')
  await signOut(page)

  await enterPassword(page, account)
  await expect(page.getByText('Enter the code that was sent to •••• 567.')).toBeVisible()
  await expect(page.getByText(/^Sent\. You can ask again in \d+ s\.$/)).toBeVisible()
  const second = await texts.codeTo(phone)
  await giveCode(page, otherThan(second))
  await expect(page.getByRole('alert')).toContainText('This code is not right.')
  await giveCode(page, second)
  await expectFiles(page)
})

test('ACC-03 somebody who signed up with a number signs in with it, however they write it', async ({
  page,
  server,
  texts,
}) => {
  const password = newPassword()
  await registerByPhone(server.url, password)

  await enterPassword(page, { email: phone, password })
  await expect(page.getByRole('alert')).toBeVisible()
  await confirmPhone(server.url, await texts.codeTo(phone))
  await enterPassword(page, { email: '+49 (170) 123-45 67', password: newPassword() })
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
  await enterPassword(page, { email: '+49 (170) 123-45 67', password })
  await expectFiles(page)
  await signOut(page)
  await enterPassword(page, { email: '491701234567', password })
  await expectFiles(page)
})

const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

const asStranger = (url: string) => createCaller({ baseUrl: url, accessToken: async () => null, fetch })

/** The page makes accounts for addresses alone; a number comes by way of the protocol. */
async function registerByPhone(url: string, password: string): Promise<void> {
  const { salt } = await asStranger(url)(accounts.prelogin, { body: { phone } })
  const { credential } = await deriveLoginSecrets({ password, salt: fromBase64url(salt), profile: 2 })
  await asStranger(`${url}/auth/v1`)(authProvider.signUp, { body: { phone, password: credential } })
}

async function confirmPhone(url: string, token: string): Promise<void> {
  await asStranger(`${url}/auth/v1`)(authProvider.verify, { body: { type: 'sms', phone, token } })
}
