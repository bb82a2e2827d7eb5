import { createSubject, type Observable } from '@sallyport/client/observable'
import { answerOtherTabs, askOtherTabs, hearOffers, offerKeys } from './hand-over.ts'
import { forgetKeys, type KeptKeys, keepKeys, readKeptKeys } from './kept-keys.ts'

type KeyRingState =
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
   * Opens with what this tab, another open one or a remembered device still holds for the account; false when none
   * does. From then on the keys are taken from the first tab that opens the account.
   */
  readonly recover: (userId: string) => Promise<boolean>
  /** The keys of this account if they are open here. */
  readonly keysOf: (userId: string) => KeptKeys | null
  /** Keeps the master key of a new password beside the account key, which stays. */
  readonly renew: (keys: KeptKeys) => void
  /** Forgets every key of this tab, and what the device remembers. */
  readonly close: () => void
}

/** What opens an account without a password where the person asked for it. */
export interface DeviceMemory {
  readonly open: (userId: string) => Promise<KeptKeys | null>
  readonly forget: () => Promise<unknown>
}

interface Deps {
  readonly storage: Storage
  readonly channel: BroadcastChannel
  readonly device?: DeviceMemory
}

/** A live tab needs a few milliseconds to answer; a busy one may still do so while the password is being asked for. */
const promptAnswerMs = 400
const latestAnswerMs = 5000

const locked: KeyRingState = { phase: 'locked' }

/** What is unlocked in this tab. */
export function createKeyRing({ storage, channel, device = noMemory }: Deps): KeyRing {
  const state = createSubject<KeyRingState>(locked)
  let wanted: string | null = null
  let closings = 0

  async function recover(userId: string): Promise<boolean> {
    if (isOpenFor(userId)) return true
    const kept = readKeptKeys(storage, userId)
    if (kept) return openKept(kept)
    const before = closings
    wanted = userId
    const answer = askOtherTabs({ channel, userId, waitMs: latestAnswerMs })
    const prompt = await firstFound([Promise.race([answer, nothingAfter(promptAnswerMs)]), device.open(userId)])
    if (prompt && before === closings) return openKept(prompt)
    answer.then((late) => late && wanted === userId && openKept(late)).catch(() => undefined)
    return false
  }

  async function openKept(keys: KeptKeys): Promise<true> {
    const before = closings
    // Whoever only looks at the way in needs no cryptography.
    const { fromBase64url, importRoot } = await import('@sallyport/crypto')
    const accountKey = await importRoot(fromBase64url(keys.accountKey))
    wanted = null
    // Closed in the meantime: whoever did so must find it closed.
    if (before !== closings || isOpenFor(keys.userId)) return true
    keepKeys(storage, keys)
    state.set({ phase: 'open', userId: keys.userId, accountKey })
    return true
  }

  function isOpenFor(userId: string): boolean {
    const now = state.current()
    return now.phase === 'open' && now.userId === userId
  }

  const keysOf = (userId: string): KeptKeys | null => (isOpenFor(userId) ? readKeptKeys(storage, userId) : null)

  answerOtherTabs({ channel, keysOf })
  hearOffers({ channel, onOffer: (userId) => userId === wanted && void recover(userId).catch(() => undefined) })

  return {
    state,
    async open(keys) {
      await openKept(keys)
      offerKeys(channel, keys.userId)
    },
    recover,
    keysOf,
    renew: (keys) => keepKeys(storage, keys),
    close() {
      wanted = null
      closings += 1
      forgetKeys(storage)
      device.forget().catch(() => undefined)
      if (state.current() !== locked) state.set(locked)
    },
  }
}

const nothingAfter = (milliseconds: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), milliseconds)
  })

/** The first that is something; null once all have turned out to be nothing. */
function firstFound<Value>(attempts: readonly Promise<Value | null>[]): Promise<Value | null> {
  const found = attempts.map(async (attempt) => (await attempt) ?? Promise.reject(new Error('Nothing was found')))
  return Promise.any(found).catch(() => null)
}

const noMemory: DeviceMemory = { open: async () => null, forget: async () => undefined }
