import type { Session } from '@sallyport/contract/session-shapes'
import { type Root, toBase64url } from '@sallyport/crypto'
import { parseEnvelope } from '@sallyport/crypto/envelope'
import { hasNewerShares, type KeyHolder, openSessionPlace, requireRoot, type SessionPlace } from './session-keys.ts'

/** The keys of a session as they change while this client is in it. */
export interface SessionKeys {
  /** With the latest root that this client knows. */
  readonly current: () => SessionPlace
  /**
   * The place for something with this key id: waits for keys that are being fetched, and asks the server for the session
   * when the id is unknown, at most once in `askEveryMs`. Never rejects; the id may stay unknown.
   */
  readonly knowing: (keyId: Uint8Array) => Promise<SessionPlace>
  /** Takes newer shares over from an answer. Ignores answers that are older, or that take shares back. */
  readonly take: (session: Session) => Promise<void>
}

interface Parts {
  readonly holder: KeyHolder
  readonly place: SessionPlace
  readonly askSession: () => Promise<Session>
  readonly now?: () => number
}

const askEveryMs = 2_000

/** The root that has wrapped the key of a file. Rejects with `wrong-key` when no key of this session has. */
export async function rootOfFile(keys: SessionKeys, envelope: string): Promise<Root> {
  const { keyId } = parseEnvelope(envelope)
  return requireRoot(await keys.knowing(keyId), keyId)
}

export function followSessionKeys({ holder, place: first, askSession, now = Date.now }: Parts): SessionKeys {
  let place = first
  let known = holder.session
  let latest: Promise<void> = Promise.resolve()
  let askedAt = Number.NEGATIVE_INFINITY

  async function derive(session: Session): Promise<void> {
    const next = await openSessionPlace({ ...holder, session }).catch(() => null)
    // An answer whose shares are unusable leaves the keys as they are.
    if (!next || !hasNewerShares(session, known)) return
    place = next
    known = session
  }

  function take(session: Session): Promise<void> {
    if (hasNewerShares(session, known)) latest = latest.then(() => derive(session))
    return latest
  }

  function ask(): Promise<void> {
    askedAt = now()
    const fetched = askSession().then(derive, () => undefined)
    latest = latest.then(() => fetched)
    return latest
  }

  return {
    current: () => place,
    take,
    async knowing(keyId) {
      const id = toBase64url(keyId)
      if (place.roots.has(id)) return place
      await latest
      if (!place.roots.has(id) && now() - askedAt >= askEveryMs) await ask()
      return place
    },
  }
}
