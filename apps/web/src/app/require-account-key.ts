import type { RootKey } from '@sallyport/crypto'
import type { Auth } from '#/lib/api/auth.ts'
import type { KeyRing } from '#/lib/keys/key-ring.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import { fileStrings } from '#/strings/files.ts'

interface RequireAccountKeyDeps {
  readonly auth: Pick<Auth, 'state' | 'accessToken'>
  readonly keyRing: Pick<KeyRing, 'state'>
}

/** Returns the key that uploads are encrypted with. Rejects with a user-facing message if signed out or locked. */
export async function requireAccountKey({ auth, keyRing }: RequireAccountKeyDeps): Promise<RootKey> {
  if (auth.state.current().phase !== 'signed-in') throw new UserFacingError(fileStrings.missingSignIn)
  const ring = keyRing.state.current()
  if (ring.phase !== 'open') throw new UserFacingError(fileStrings.missingKey)
  if ((await auth.accessToken()) === null) throw new UserFacingError(fileStrings.missingSession)
  return ring.accountKey
}
