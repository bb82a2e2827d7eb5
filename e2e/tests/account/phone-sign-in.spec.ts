import { createCaller } from '@sallyport/client/call'
import { accounts } from '@sallyport/contract/accounts'
import { authProvider } from '@sallyport/contract/auth-calls'
import { deriveLoginSecrets, fromBase64url } from '@sallyport/crypto'
import { newPassword } from '../../support/account/account.ts'
import { phone, test } from '../../support/account/phone-sign-in.ts'
import { enterPassword, expectFiles, signOut } from '../../support/account/users.ts'
import { expect } from '../../support/journey.ts'

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
