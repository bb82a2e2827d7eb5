import type { GoTrueClient } from '@supabase/auth-js'
import { answerOf } from '#/api/auth-words.ts'

/**
 * Confirms an address. The sign-in that the service gives for it is ended at once: whoever comes by a link alone has no
 * password, and so no keys.
 */
export async function confirmAddress(openProvider: () => Promise<GoTrueClient>, tokenHash: string): Promise<void> {
  const provider = await openProvider()
  answerOf(await provider.verifyOtp({ type: 'email', token_hash: tokenHash }))
  await provider.signOut({ scope: 'local' })
}
