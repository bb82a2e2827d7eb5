import type { Root } from '@sallyport/crypto'
import type { Auth } from '#/api/auth.ts'
import { SpokenError } from '#/api/failure.ts'
import type { KeyRing } from '#/keys/key-ring.ts'
import { fileWords } from '#/words/files.ts'

interface Held {
  readonly auth: Pick<Auth, 'state' | 'accessToken'>
  readonly keyRing: Pick<KeyRing, 'state'>
}

/** The key that uploads are sealed under. Rejects with what a person is to read where the sign-in or the key is gone. */
export async function requireAccountKey({ auth, keyRing }: Held): Promise<Root> {
  if (auth.state.current().phase !== 'signed-in') throw new SpokenError(fileWords.missingSignIn)
  const ring = keyRing.state.current()
  if (ring.phase !== 'open') throw new SpokenError(fileWords.missingKey)
  if ((await auth.accessToken()) === null) throw new SpokenError(fileWords.missingSession)
  return ring.accountKey
}
