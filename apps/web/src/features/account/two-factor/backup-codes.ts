import type { Call } from '@sallyport/client/call'
import { authSessions } from '@sallyport/contract/auth-sessions'
import type { GoTrueClient } from '@supabase/auth-js'
import type { Auth } from '#/lib/api/auth.ts'
import { unwrapAuthResponse } from '#/lib/api/auth-errors.ts'

interface RedeemBackupCodeInput {
  readonly call: Call
  readonly code: string
}

const exchangeBackupCode = async ({ call, code }: RedeemBackupCodeInput) =>
  (await call(authSessions.useBackupCode, { body: { code } })).session

/** Exchanges a backup code for a fully authenticated session of this browser. */
export async function redeemBackupCode({
  auth,
  ...input
}: RedeemBackupCodeInput & { auth: Pick<Auth, 'begin'> }): Promise<void> {
  await auth.begin(await exchangeBackupCode(input))
}

/** Does the same for an auth session from an email link, which only its own client holds. */
export async function redeemBackupCodeWithClient({
  provider,
  ...input
}: RedeemBackupCodeInput & { provider: GoTrueClient }): Promise<void> {
  const { access_token, refresh_token } = await exchangeBackupCode(input)
  unwrapAuthResponse(await provider.setSession({ access_token, refresh_token }))
}
