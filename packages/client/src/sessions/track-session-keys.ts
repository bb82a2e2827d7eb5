import { ignore } from '@sallyport/contract/ignore'
import type { Session } from '@sallyport/contract/session-shapes'
import { type RootKey, toBase64url } from '@sallyport/crypto'
import { parseEnvelope } from '@sallyport/crypto/envelope'
import {
  hasNewerShares,
  openSessionContext,
  requireRoot,
  type SessionContext,
  type SessionKeyInput,
} from './session-keys.ts'

/** The keys of a session, which change while this client is in it. */
export interface SessionKeys {
  /** The context with the latest root key that this client knows. */
  readonly current: () => SessionContext
  /**
   * Returns a context that contains this key id if possible: waits for a running update, and fetches the session from
   * the server for an unknown id, at most once per `minFetchIntervalMs`. Never rejects; the id may remain unknown.
   */
  readonly forKeyId: (keyId: Uint8Array) => Promise<SessionContext>
  /**
   * Whether this client has known a newer epoch than that of this key id for more than a minute, by its own clock. Other
   * clients learn of it within seconds.
   */
  readonly isOutdated: (keyId: Uint8Array) => boolean
  /** Adopts newer key shares of a server response. Ignores responses that are older or that withdraw shares. */
  readonly update: (session: Session) => Promise<void>
}

interface TrackSessionKeysInput {
  readonly holder: SessionKeyInput
  readonly context: SessionContext
  readonly fetchSession: () => Promise<Session>
  readonly now?: () => number
}

const minFetchIntervalMs = 2_000
const keyChangeMs = 60_000

/** Returns the root key that wrapped the key of a file. Rejects with `wrong-key` if no key of this session did. */
export async function findFileRootKey(keys: SessionKeys, envelope: string): Promise<RootKey> {
  const { keyId } = parseEnvelope(envelope)
  return requireRoot(await keys.forKeyId(keyId), keyId)
}

export function trackSessionKeys({
  holder,
  context: initialContext,
  fetchSession,
  now = Date.now,
}: TrackSessionKeysInput): SessionKeys {
  let context = initialContext
  let knownSession = holder.session
  let pendingUpdate: Promise<void> = Promise.resolve()
  let lastFetchAt = Number.NEGATIVE_INFINITY
  /** The times at which this client learned of newer epochs, by the number of the outdated epoch. */
  const outdatedSince = new Map<number, number>()
  markOutdated()

  function markOutdated(): void {
    const latest = Math.max(...context.epochs.values())
    for (const epoch of context.epochs.values())
      if (epoch < latest && !outdatedSince.has(epoch)) outdatedSince.set(epoch, now())
  }

  async function derive(session: Session): Promise<void> {
    const next = await openSessionContext({ ...holder, session }).catch((error) =>
      ignore(error, 'unusable shares leave the keys unchanged'),
    )
    if (!next || !hasNewerShares(session, knownSession)) return
    context = next
    knownSession = session
    markOutdated()
  }

  function update(session: Session): Promise<void> {
    if (hasNewerShares(session, knownSession)) pendingUpdate = pendingUpdate.then(() => derive(session))
    return pendingUpdate
  }

  function fetchKeys(): Promise<void> {
    lastFetchAt = now()
    const derived = fetchSession().then(derive, () => undefined)
    pendingUpdate = pendingUpdate.then(() => derived)
    return pendingUpdate
  }

  return {
    current: () => context,
    isOutdated(keyId) {
      const epoch = context.epochs.get(toBase64url(keyId))
      const since = epoch === undefined ? undefined : outdatedSince.get(epoch)
      return since !== undefined && now() - since > keyChangeMs
    },
    update,
    async forKeyId(keyId) {
      const id = toBase64url(keyId)
      if (context.roots.has(id)) return context
      await pendingUpdate
      if (!context.roots.has(id) && now() - lastFetchAt >= minFetchIntervalMs) await fetchKeys()
      return context
    },
  }
}
