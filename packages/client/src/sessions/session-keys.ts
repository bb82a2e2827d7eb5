import type { Session } from '@sallyport/contract/session-shapes'
import {
  type Bytes,
  CryptoError,
  deriveSessionRoots,
  fromBase64url,
  type Root,
  type SessionKeyHolder,
  sessionKeyIds,
  toBase64url,
} from '@sallyport/crypto'
import type { Entered } from './enter-session.ts'
import { SessionError } from './session-error.ts'

export type KeyHolder = Pick<Entered, 'pin' | 'session' | 'keyMode' | 'linkSecret'>

/** The keys of a session. The share that goes into them is replaced when a participant is removed: a new key epoch. */
export interface SessionPlace extends Pick<Entered, 'keyMode'> {
  readonly sessionId: string
  /** Of the latest epoch. Everything new is sealed under it. */
  readonly root: Root
  /** The roots of all epochs and versions, by the key ids of what they have sealed. */
  readonly roots: ReadonlyMap<string, Root>
}

/**
 * Derives the keys of a session; null where the invite link is needed and not at hand. The mode is the one that this
 * client entered with: a link secret never goes with a weaker one.
 */
export async function openSessionPlace(holder: KeyHolder): Promise<SessionPlace | null> {
  const { keyMode, session } = holder
  const keys = keyHolderOf(holder)
  if (keys === null) return null
  const epochs = await deriveSessionRoots(keys, sharesOf(session).map(fromBase64url))
  const opening = epochs.flatMap(({ root, earlierRoot }) => [earlierRoot, root])
  const named = await Promise.all(
    opening.map(async (root) => (await sessionKeyIds(root)).map((id) => [id, root] as const)),
  )
  const root = opening.at(-1)
  return root ? { keyMode, sessionId: session.id, root, roots: new Map(named.flat()) } : null
}

/** The root that sealed what carries this key id. Throws `wrong-key` when it belongs to no known epoch. */
export function requireRoot({ roots }: SessionPlace, keyId: Bytes): Root {
  const root = roots.get(toBase64url(keyId))
  if (!root) throw new CryptoError('wrong-key', 'No key of this session has sealed it')
  return root
}

/** Whether an answer has the same shares as an earlier one, and newer ones after them. Shares are never taken back. */
export function hasNewerShares(next: Session, known: Session): boolean {
  const [older, newer] = [sharesOf(known), sharesOf(next)]
  return newer.length > older.length && older.every((share, epoch) => share === newer[epoch])
}

const sharesOf = ({ earlier_key_shares, key_share }: Session): readonly string[] => [
  ...earlier_key_shares,
  key_share ?? '',
]

function keyHolderOf({
  pin,
  session: { id: sessionId },
  keyMode: mode,
  linkSecret,
}: KeyHolder): SessionKeyHolder | null {
  if (linkSecret !== null && mode !== 'secret') throw new SessionError('KEY_MODE_MISMATCH')
  if (mode === 'pin') return { mode, pin }
  if (mode === 'pin2') return { mode, pin, sessionId }
  return linkSecret && { mode, pin, sessionId, linkSecret }
}
