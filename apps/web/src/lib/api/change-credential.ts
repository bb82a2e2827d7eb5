import type { Auth } from './auth.ts'
import { toAuthError } from './auth-errors.ts'

interface CredentialChange {
  readonly credential: string
  /** The previous credential, which the server requires. */
  readonly current: string
}

/**
 * Replaces the login secret of the signed-in account. Rejects with a `NetworkError` if it is unknown whether the server
 * has done so, otherwise with a user-facing message.
 */
export async function changeCredential(auth: Auth, { credential, current }: CredentialChange): Promise<void> {
  const provider = await auth.provider()
  const { error } = await provider.updateUser({ password: credential, current_password: current })
  if (error) throw toAuthError(error)
}
