import type { Auth } from './auth.ts'
import { sayAuthError } from './auth-words.ts'
import { SpokenError } from './failure.ts'

interface CredentialChange {
  readonly credential: string
  /** What it was until now; the server asks for it. */
  readonly current: string
}

/** Has the server take another login secret for whoever is signed in. Fails with words for a person. */
export async function changeCredential(auth: Auth, { credential, current }: CredentialChange): Promise<void> {
  const provider = await auth.provider()
  const { error } = await provider.updateUser({ password: credential, current_password: current })
  if (error) throw new SpokenError(sayAuthError(error), { cause: error })
}
