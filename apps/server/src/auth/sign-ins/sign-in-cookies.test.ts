import { expect } from 'vitest'
import { aCredential, anEmail, datedForm, startAccounts } from '../../testing/account-server.ts'
import { onBothDatabases } from '../../testing/databases.ts'

const fixedId = '01a1fd00-0000-7000-8000-000000000000'
const passwordGrant = '/auth/v1/token?grant_type=password'

const signInOf = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).session_id

onBothDatabases(
  'T063 a cookie or a sign-in that was there before is not gone on with, and no answer sets a cookie',
  async (stage) => {
    const server = await startAccounts(stage)
    const other = await server.aMember()
    const email = anEmail()
    const password = aCredential()
    const planted = {
      cookie: `session_id=${fixedId}; sb-access-token=${other.accessToken}; sb-refresh-token=${other.refreshToken}`,
      authorization: `Bearer ${other.accessToken}`,
      'x-session-id': fixedId,
    }
    const asked = { email, password, session_id: fixedId, refresh_token: other.refreshToken }

    const registered = await server.post('/api/register', asked, planted)
    const signedIn = await server.post('/api/login', asked, planted)
    const granted = await server.post(passwordGrant, asked, { ...planted, ...datedForm })
    const refreshToken = granted.json().refresh_token
    const refreshed = await server.post(
      '/auth/v1/token?grant_type=refresh_token',
      { refresh_token: refreshToken, session_id: fixedId },
      { ...planted, ...datedForm },
    )
    const shown = await server.get('/api/user-info', {
      ...planted,
      authorization: `Bearer ${signedIn.json().session.access_token}`,
    })
    const byCookie = await server.get('/api/user-info', { cookie: planted.cookie })
    const signedOut = await server.post(
      '/auth/v1/logout',
      {},
      { authorization: `Bearer ${granted.json().access_token}` },
    )

    const [first, second, third] = [
      signedIn.json().session.access_token,
      granted.json().access_token,
      refreshed.json().access_token,
    ].map(signInOf)
    expect(new Set([first, second, signInOf(other.accessToken), fixedId]).size).toBe(4)
    expect(third).toBe(second)
    expect(signedIn.json().user.email).toBe(email)
    expect(shown.json().user.id).toBe(signedIn.json().user.id)
    expect([byCookie.statusCode, byCookie.json().code]).toEqual([401, 'NO_TOKEN'])
    for (const answer of [registered, signedIn, granted, refreshed, shown, byCookie, signedOut]) {
      expect(answer.headers).not.toHaveProperty('set-cookie')
    }
    expect(await stage.db.selectFrom('sign_ins').select('id').where('id', '=', fixedId).execute()).toEqual([])
  },
)
