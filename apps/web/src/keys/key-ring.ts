import { createSubject, type Observable } from '@sallyport/client/observable'
import { answerOtherTabs, askOtherTabs, hearOffers, offerKeys } from './hand-over.ts'
import { forgetKeys, type KeptKeys, keepKeys, readKeptKeys } from './kept-keys.ts'

export type KeyRingState =
  | { readonly phase: 'locked' }
  | {
      readonly phase: 'open'
      readonly userId: string
      /** The account key as a handle that gives no bytes back. */
      readonly accountKey: CryptoKey
    }

export interface KeyRing {
  readonly state: Observable<KeyRingState>
  readonly open: (keys: KeptKeys) => Promise<void>
  /**
   * Opens with what this tab or another open one still holds for the account; false when none does. From then on the
   * keys are taken from the first tab that opens the account.
   */
  readonly recover: (userId: string) => Promise<boolean>
  /** Forgets every key of this tab. */
  readonly close: () => void
}

interface Deps {
  readonly storage: Storage
  readonly channel: BroadcastChannel
}

/** How long other tabs have to answer; a live one needs a few milliseconds. */
const handOverMs = 400

const locked: KeyRingState = { phase: 'locked' }

/** What is unlocked in this tab. */
export function createKeyRing({ storage, channel }: Deps): KeyRing {
  const state = createSubject<KeyRingState>(locked)
  let wanted: string | null = null

  async function recover(userId: string): Promise<boolean> {
    if (isOpenFor(userId)) return true
    const keys = readKeptKeys(storage, userId) ?? (await askOtherTabs({ channel, userId, waitMs: handOverMs }))
    if (keys) await openKept(keys)
    else wanted = userId
    return keys !== null
  }

  async function openKept(keys: KeptKeys): Promise<void> {
    // Whoever only looks at the way in needs no cryptography.
    const { fromBase64url, importRoot } = await import('@sallyport/crypto')
    const accountKey = await importRoot(fromBase64url(keys.accountKey))
    keepKeys(storage, keys)
    wanted = null
    state.set({ phase: 'open', userId: keys.userId, accountKey })
  }

  function isOpenFor(userId: string): boolean {
    const now = state.current()
    return now.phase === 'open' && now.userId === userId
  }

  answerOtherTabs({ channel, keysOf: (userId) => (isOpenFor(userId) ? readKeptKeys(storage, userId) : null) })
  hearOffers({ channel, onOffer: (userId) => userId === wanted && void recover(userId).catch(() => undefined) })

  return {
    state,
    async open(keys) {
      await openKept(keys)
      offerKeys(channel, keys.userId)
    },
    recover,
    close() {
      wanted = null
      forgetKeys(storage)
      if (state.current() !== locked) state.set(locked)
    },
  }
}
