import type { Call } from '@sallyport/client/call'
import { signIns } from '@sallyport/contract/sign-ins'
import type { GoTrueClient } from '@supabase/auth-js'
import type { Auth } from '#/api/auth.ts'
import { answerOf } from '#/api/auth-words.ts'

interface Redeeming {
  readonly call: Call
  readonly code: string
}

const redeem = async ({ call, code }: Redeeming) => (await call(signIns.useBackupCode, { body: { code } })).session

/** Trades a backup code for a whole sign-in of this browser. */
export async function redeemBackupCode({ auth, ...given }: Redeeming & { auth: Pick<Auth, 'begin'> }): Promise<void> {
  await auth.begin(await redeem(given))
}

/** The same for a sign-in by a link, which only its own client holds. */
export async function redeemBackupCodeOf({
  provider,
  ...given
}: Redeeming & { provider: GoTrueClient }): Promise<void> {
  const { access_token, refresh_token } = await redeem(given)
  answerOf(await provider.setSession({ access_token, refresh_token }))
}
