import { expect } from 'vitest'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import {
  apiVersionHeader,
  randomCredential,
  randomEmail,
  startAccountServer,
} from '../../../testing/servers/account-server.ts'

const fixedId = '01a1fd00-0000-7000-8000-000000000000'
const passwordGrant = '/auth/v1/token?grant_type=password'

const authSessionIdOf = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).session_id

onBothDatabases(
  'T063 signing in ignores existing cookies and sessions (no session fixation), and no response sets a cookie',
  async (stage) => {
    const server = await startAccountServer(stage)
    const other = await server.createMember()
    const email = randomEmail()
    const password = randomCredential()
    const planted = {
      cookie: `session_id=${fixedId}; sb-access-token=${other.accessToken}; sb-refresh-token=${other.refreshToken}`,
      authorization: `Bearer ${other.accessToken}`,
      'x-session-id': fixedId,
    }
    const body = { email, password, session_id: fixedId, refresh_token: other.refreshToken }

    const registered = await server.post('/api/register', body, planted)
    const signedIn = await server.post('/api/login', body, planted)
    const granted = await server.post(passwordGrant, body, { ...planted, ...apiVersionHeader })
    const refreshToken = granted.json().refresh_token
    const refreshed = await server.post(
      '/auth/v1/token?grant_type=refresh_token',
      { refresh_token: refreshToken, session_id: fixedId },
      { ...planted, ...apiVersionHeader },
    )
    const userInfo = await server.get('/api/user-info', {
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
    ].map(authSessionIdOf)
    expect(new Set([first, second, authSessionIdOf(other.accessToken), fixedId]).size).toBe(4)
    expect(third).toBe(second)
    expect(signedIn.json().user.email).toBe(email)
    expect(userInfo.json().user.id).toBe(signedIn.json().user.id)
    expect([byCookie.statusCode, byCookie.json().code]).toEqual([401, 'NO_TOKEN'])
    for (const response of [registered, signedIn, granted, refreshed, userInfo, byCookie, signedOut]) {
      expect(response.headers).not.toHaveProperty('set-cookie')
    }
    expect(await stage.db.selectFrom('sign_ins').select('id').where('id', '=', fixedId).execute()).toEqual([])
  },
)
