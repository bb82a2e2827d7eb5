import { Secret, TOTP } from 'otpauth'
import { createFloodAccount, wrongCredential } from '../accounts.ts'
import { createHttpClient, type HttpClient, jsonOf } from '../http-client.ts'
import { forever, inParallel } from './forever.ts'

const callsAtOnce = 60
const addresses = 50

/** One account with a second factor asks for new backup codes again and again, sixty calls at a time. */
export async function floodBackupCodes(url: string): Promise<() => Promise<void>> {
  const client = createHttpClient(url, '127.1.0.1', callsAtOnce)
  const accessToken = await addAuthenticator(client, (await createFloodAccount(url)).accessToken)
  return async () => {
    await inParallel(callsAtOnce, () =>
      forever(50, () => client.send('POST', '/api/account/backup-codes', { accessToken, body: {} })),
    )
  }
}

/** Adds an authenticator app to the account, and resolves to an access token that has shown its code. */
async function addAuthenticator(client: HttpClient, accessToken: string): Promise<string> {
  async function post<Reply>(path: string, body: object): Promise<Reply> {
    return jsonOf(await client.send('POST', `/auth/v1/factors${path}`, { accessToken, body }))
  }
  const { id, totp } = await post<{ id: string; totp: { secret: string } }>('', { factor_type: 'totp' })
  const { id: challengeId } = await post<{ id: string }>(`/${id}/challenge`, {})
  const code = new TOTP({ secret: Secret.fromBase32(totp.secret) }).generate()
  const session = await post<{ access_token: string }>(`/${id}/verify`, { challenge_id: challengeId, code })
  return session.access_token
}

/** Fifty addresses try wrong passwords of addresses that nobody has, as fast as each is allowed to. */
export async function guessPasswords(url: string): Promise<() => Promise<void>> {
  const clients = Array.from({ length: addresses }, (_, number) => createHttpClient(url, `127.1.1.${number + 1}`, 2))
  return async () => {
    await Promise.all(
      clients.map((client, number) =>
        forever(100, () =>
          client.send('POST', '/api/login', {
            body: { email: `nobody-${number}-${Math.random()}@example.org`, password: wrongCredential() },
          }),
        ),
      ),
    )
  }
}
