import type { Call } from '@sallyport/client/call'
import { signIns } from '@sallyport/contract/sign-ins'
import type { Auth } from '#/api/auth.ts'

interface Redeeming {
  readonly call: Call
  readonly auth: Pick<Auth, 'begin'>
  readonly code: string
}

/** Trades a backup code for a whole sign-in. */
export async function redeemBackupCode({ call, auth, code }: Redeeming): Promise<void> {
  const { session } = await call(signIns.useBackupCode, { body: { code } })
  await auth.begin(session)
}
