import { AuthClient } from '@supabase/auth-js'
import { expect } from 'vitest'
import { aCredential, anEmail, startAccounts } from '../testing/account-server.ts'
import { onBothDatabases } from '../testing/databases.ts'

onBothDatabases(
  'ACC-09 the published client signs up, signs in, refreshes, reads its user and signs out',
  async (stage) => {
    const { app } = await startAccounts(stage)
    const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
    const client = new AuthClient({ url, autoRefreshToken: false, persistSession: false, detectSessionInUrl: false })
    const email = anEmail()
    const password = aCredential()

    const signedUp = await client.signUp({ email, password })
    const signedIn = await client.signInWithPassword({ email, password })
    const refreshed = await client.refreshSession()
    const read = await client.getUser()
    const claims = await client.getClaims()
    const signedOut = await client.signOut({ scope: 'local' })
    const afterwards = await client.getUser(refreshed.data.session?.access_token)

    expect(signedUp.error).toBeNull()
    expect(signedUp.data.user).toMatchObject({ email, role: 'authenticated', identities: [{ provider: 'email' }] })
    expect(signedIn.error).toBeNull()
    expect(refreshed.error).toBeNull()
    expect(refreshed.data.session?.refresh_token).not.toBe(signedIn.data.session?.refresh_token)
    expect(read.data.user?.id).toBe(signedUp.data.user?.id)
    expect(claims.data?.claims).toMatchObject({ email, aal: 'aal1', aud: 'authenticated', role: 'authenticated' })
    expect(signedOut.error).toBeNull()
    expect(afterwards.error?.name).toBe('AuthSessionMissingError')
    await app.close()
  },
)
