import type { Session } from '@sallyport/contract/session-shapes'
import {
  type Bytes,
  CryptoError,
  deriveSessionRootKeys,
  fromBase64url,
  type RootKey,
  type SessionKeyMaterial,
  sessionKeyIds,
  toBase64url,
} from '@sallyport/crypto'
import { ClientError } from '../errors.ts'
import type { JoinedSession } from './join-session.ts'

export type SessionKeyInput = Pick<JoinedSession, 'pin' | 'session' | 'keyMode' | 'linkSecret'>

/** The keys of a session. Removing a participant replaces the key share and starts a new key epoch. */
export interface SessionContext extends Pick<JoinedSession, 'keyMode'> {
  readonly sessionId: string
  /** Of the latest epoch. New contents are sealed under it. */
  readonly root: RootKey
  /** The root keys of all epochs and versions, by the key ids of what they have sealed. */
  readonly roots: ReadonlyMap<string, RootKey>
  /** The numbers of the epochs, from 0, by the same key ids. */
  readonly epochs: ReadonlyMap<string, number>
}

/**
 * Derives the keys of a session; null if the invite link is needed and unknown. Uses the mode that this client joined
 * with: a link secret is never combined with a weaker mode.
 */
export async function openSessionContext(input: SessionKeyInput): Promise<SessionContext | null> {
  const { keyMode, session } = input
  const keys = toKeyMaterial(input)
  if (keys === null) return null
  const epochs = await deriveSessionRootKeys(keys, sharesOf(session).map(fromBase64url))
  const latest = epochs.at(-1)
  if (!latest) return null
  const roots = epochs.flatMap(({ root, version1Root }, epoch) => [version1Root, root].map((one) => ({ one, epoch })))
  const identified = await Promise.all(roots.map(async (root) => ({ ...root, ids: await sessionKeyIds(root.one) })))
  return {
    keyMode,
    sessionId: session.id,
    root: latest.root,
    roots: new Map(identified.flatMap(({ ids, one }) => ids.map((id) => [id, one] as const))),
    epochs: new Map(identified.flatMap(({ ids, epoch }) => ids.map((id) => [id, epoch] as const))),
  }
}

/** Returns the root key for a key id. Throws `wrong-key` if it belongs to no known epoch. */
export function requireRoot({ roots }: SessionContext, keyId: Bytes): RootKey {
  const root = roots.get(toBase64url(keyId))
  if (!root) throw new CryptoError('wrong-key', 'No key of this session sealed these contents')
  return root
}

/** The number of the epoch in which a key id is used; undefined if it belongs to no known epoch. */
export const epochOf = ({ epochs }: SessionContext, keyId: Bytes): number | undefined => epochs.get(toBase64url(keyId))

/** Whether a response contains the known shares, and newer ones after them. Shares are never withdrawn. */
export function hasNewerShares(next: Session, current: Session): boolean {
  const [older, newer] = [sharesOf(current), sharesOf(next)]
  return newer.length > older.length && older.every((share, epoch) => share === newer[epoch])
}

const sharesOf = ({ earlier_key_shares, key_share }: Session): readonly string[] => [
  ...earlier_key_shares,
  key_share ?? '',
]

function toKeyMaterial({
  pin,
  session: { id: sessionId },
  keyMode: mode,
  linkSecret,
}: SessionKeyInput): SessionKeyMaterial | null {
  if (linkSecret !== null && mode !== 'secret') throw new ClientError('KEY_MODE_MISMATCH')
  if (mode === 'pin') return { mode, pin }
  if (mode === 'pin2') return { mode, pin, sessionId }
  return linkSecret && { mode, pin, sessionId, linkSecret }
}
