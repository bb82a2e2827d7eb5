import { loadCode } from '@sallyport/browser/load-code'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { deleteStoredKeys, type EncodedKeys, readStoredKeys, storeKeys } from './stored-keys.ts'
import { announceKeys, onKeyAnnouncement, requestKeysFromTabs, respondToTabs } from './tab-key-exchange.ts'

type KeyRingState =
  | { readonly phase: 'locked' }
  | {
      readonly phase: 'open'
      readonly userId: string
      /** The account key, not extractable. */
      readonly accountKey: CryptoKey
    }

export interface KeyRing {
  readonly state: Observable<KeyRingState>
  readonly open: (keys: EncodedKeys) => Promise<void>
  /**
   * Unlocks with the keys that this tab, another open tab or a remembered device still holds; false if none does. In that
   * case the key ring unlocks later, as soon as another tab unlocks the account. Calls `onDelayed` if the server has to be
   * waited for.
   */
  readonly recover: (userId: string, onDelayed?: () => void) => Promise<boolean>
  /** Returns the keys of this account if they are unlocked here. */
  readonly keysOf: (userId: string) => EncodedKeys | null
  /** Stores the master key of a new password; the account key stays the same. */
  readonly replace: (keys: EncodedKeys) => void
  /** Deletes every key of this tab and the remembered device. */
  readonly close: () => void
}

/** Unlocks an account without a password if the user chose to be remembered on this device. */
export interface RememberedDevice {
  readonly open: (userId: string, options: OpenDeviceOptions) => Promise<EncodedKeys | null>
  readonly forget: () => Promise<unknown>
}

export interface OpenDeviceOptions {
  readonly signal: AbortSignal
  /** Called when the server did not answer, which is tried again. */
  readonly onDelayed: () => void
}

interface KeyRingDeps {
  readonly storage: Storage
  readonly channel: BroadcastChannel
  readonly device?: RememberedDevice
}

/** An idle tab responds within milliseconds; a busy one may still respond while the password prompt is shown. */
const quickResponseMs = 400
const responseTimeoutMs = 5000

const locked: KeyRingState = { phase: 'locked' }

/** Creates the key ring, which holds the unlocked keys of this tab. */
export function createKeyRing({ storage, channel, device = noRememberedDevice }: KeyRingDeps): KeyRing {
  const state = createSubject<KeyRingState>(locked)
  let awaitedUserId: string | null = null
  let closeCount = 0
  /** Aborted once the keys are there, or no longer wanted. */
  let search = new AbortController()

  function endSearch(): void {
    search.abort()
    search = new AbortController()
  }

  async function recover(userId: string, onDelayed: () => void = () => undefined): Promise<boolean> {
    if (isOpenFor(userId)) return true
    const stored = readStoredKeys(storage, userId)
    if (stored) return openWith(stored)
    const closeCountBefore = closeCount
    awaitedUserId = userId
    const response = requestKeysFromTabs({ channel, userId, waitMs: responseTimeoutMs })
    response.then((lateKeys) => lateKeys && awaitedUserId === userId && openWith(lateKeys)).catch(() => undefined)
    const found = await firstNonNull([
      Promise.race([response, nullAfter(quickResponseMs)]),
      device.open(userId, { signal: search.signal, onDelayed }),
    ])
    return found && closeCountBefore === closeCount ? openWith(found) : isOpenFor(userId)
  }

  async function openWith(keys: EncodedKeys): Promise<true> {
    const closeCountBefore = closeCount
    // Loaded lazily, because the landing page needs no cryptography.
    const { fromBase64url, importRootKey } = await loadCode(() => import('@sallyport/crypto'))
    const accountKey = await importRootKey(fromBase64url(keys.accountKey))
    awaitedUserId = null
    // If the ring was closed in the meantime, it must stay closed.
    if (closeCountBefore !== closeCount || isOpenFor(keys.userId)) return true
    endSearch()
    storeKeys(storage, keys)
    state.set({ phase: 'open', userId: keys.userId, accountKey })
    return true
  }

  function isOpenFor(userId: string): boolean {
    const now = state.current()
    return now.phase === 'open' && now.userId === userId
  }

  const keysOf = (userId: string): EncodedKeys | null => (isOpenFor(userId) ? readStoredKeys(storage, userId) : null)

  respondToTabs({ channel, keysOf })
  onKeyAnnouncement({
    channel,
    onAnnouncement: (userId) => userId === awaitedUserId && void recover(userId).catch(() => undefined),
  })

  return {
    state,
    async open(keys) {
      await openWith(keys)
      announceKeys(channel, keys.userId)
    },
    recover,
    keysOf,
    replace: (keys) => storeKeys(storage, keys),
    close() {
      awaitedUserId = null
      closeCount += 1
      endSearch()
      deleteStoredKeys(storage)
      device.forget().catch(() => undefined)
      if (state.current() !== locked) state.set(locked)
    },
  }
}

const nullAfter = (milliseconds: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), milliseconds)
  })

/** Resolves with the first value that is not null; with null once all are null. */
function firstNonNull<Value>(attempts: readonly Promise<Value | null>[]): Promise<Value | null> {
  const found = attempts.map(async (attempt) => (await attempt) ?? Promise.reject(new Error('Not found')))
  return Promise.any(found).catch(() => null)
}

const noRememberedDevice: RememberedDevice = { open: async () => null, forget: async () => undefined }
