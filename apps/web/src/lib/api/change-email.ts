import type { Auth } from './auth.ts'
import { toAuthError } from './auth-errors.ts'

interface EmailChangeRequest {
  readonly email: string
  /** The current credential, which the server requires. */
  readonly current: string
}

/** `confirmation` if the change takes effect once the links sent to both addresses were opened. */
export type EmailChange = 'done' | 'confirmation'

/** Changes the email address of the signed-in account. Rejects with a `NetworkError` or a user-facing message. */
export async function changeEmail(auth: Auth, { email, current }: EmailChangeRequest): Promise<EmailChange> {
  const provider = await auth.provider()
  const { data, error } = await provider.updateUser({ email, current_password: current })
  if (error) throw toAuthError(error)
  return data.user.new_email ? 'confirmation' : 'done'
}
