import { Secret, TOTP } from 'otpauth'
import { createFloodAccount, wrongCredential } from '../accounts.ts'
import { createHttpClient, type HttpClient, parseJson } from '../http-client.ts'
import { inParallel, repeatForever } from './repeat.ts'

const callsAtOnce = 60
const addresses = 50

/** One account with a second factor requests new backup codes continuously, 60 calls at a time. */
export async function floodBackupCodes(url: string): Promise<() => Promise<void>> {
  const client = createHttpClient(url, '127.1.0.1', callsAtOnce)
  const accessToken = await addAuthenticator(client, (await createFloodAccount(url)).accessToken)
  return async () => {
    await inParallel(callsAtOnce, () =>
      repeatForever(50, () => client.send('POST', '/api/account/backup-codes', { accessToken, body: {} })),
    )
  }
}

/** Enrols an authenticator app for the account, and resolves to an access token with aal2. */
async function addAuthenticator(client: HttpClient, accessToken: string): Promise<string> {
  async function post<Reply>(path: string, body: object): Promise<Reply> {
    return parseJson(await client.send('POST', `/auth/v1/factors${path}`, { accessToken, body }))
  }
  const { id, totp } = await post<{ id: string; totp: { secret: string } }>('', { factor_type: 'totp' })
  const { id: challengeId } = await post<{ id: string }>(`/${id}/challenge`, {})
  const code = new TOTP({ secret: Secret.fromBase32(totp.secret) }).generate()
  const session = await post<{ access_token: string }>(`/${id}/verify`, { challenge_id: challengeId, code })
  return session.access_token
}

/** 50 IP addresses try wrong passwords for unknown email addresses, as fast as the limits allow. */
export async function guessPasswords(url: string): Promise<() => Promise<void>> {
  const clients = Array.from({ length: addresses }, (_, number) => createHttpClient(url, `127.1.1.${number + 1}`, 2))
  return async () => {
    await Promise.all(
      clients.map((client, number) =>
        repeatForever(100, () =>
          client.send('POST', '/api/login', {
            body: { email: `nobody-${number}-${Math.random()}@example.org`, password: wrongCredential() },
          }),
        ),
      ),
    )
  }
}
