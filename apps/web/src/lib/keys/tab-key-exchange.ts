import * as z from 'zod/mini'
import type { EncodedKeys } from './stored-keys.ts'

const KeyRequest = z.object({ type: z.literal('keys-wanted'), userId: z.string(), nonce: z.string() })
const KeyResponse = z.object({
  type: z.literal('keys-given'),
  userId: z.string(),
  nonce: z.string(),
  masterKey: z.string(),
  accountKey: z.string(),
})
const KeyAnnouncement = z.object({ type: z.literal('keys-here'), userId: z.string() })

/** The name of the BroadcastChannel that the tabs of this origin share. */
export const keyExchangeChannel = 'sallyport-keys'

interface RequestKeysInput {
  readonly channel: BroadcastChannel
  readonly userId: string
  readonly waitMs: number
}

/** Requests the keys of an account from the other open tabs; null if none responds in time. */
export function requestKeysFromTabs({ channel, userId, waitMs }: RequestKeysInput): Promise<EncodedKeys | null> {
  const nonce = crypto.randomUUID()
  return new Promise((resolve) => {
    function finish(keys: EncodedKeys | null) {
      clearTimeout(timer)
      channel.removeEventListener('message', handleMessage)
      resolve(keys)
    }
    function handleMessage({ data }: MessageEvent) {
      const response = KeyResponse.safeParse(data)
      if (!response.success || response.data.nonce !== nonce || response.data.userId !== userId) return
      const { masterKey, accountKey } = response.data
      finish({ userId, masterKey, accountKey })
    }
    const timer = setTimeout(() => finish(null), waitMs)
    channel.addEventListener('message', handleMessage)
    channel.postMessage({ type: 'keys-wanted', userId, nonce } satisfies z.output<typeof KeyRequest>)
  })
}

interface RespondToTabsInput {
  readonly channel: BroadcastChannel
  /** Returns the keys of this account if this tab holds them. */
  readonly keysOf: (userId: string) => EncodedKeys | null
}

/** Responds to key requests of other tabs for the same account, until the returned function is called. */
export function respondToTabs({ channel, keysOf }: RespondToTabsInput): () => void {
  function handleMessage({ data }: MessageEvent) {
    const request = KeyRequest.safeParse(data)
    if (!request.success) return
    const { userId, nonce } = request.data
    const keys = keysOf(userId)
    if (!keys) return
    const { masterKey, accountKey } = keys
    channel.postMessage({ type: 'keys-given', userId, nonce, masterKey, accountKey } satisfies z.output<
      typeof KeyResponse
    >)
  }
  channel.addEventListener('message', handleMessage)
  return () => channel.removeEventListener('message', handleMessage)
}

/** Notifies the other tabs that this one has opened an account. The message contains no key; a tab that needs it asks. */
export function announceKeys(channel: BroadcastChannel, userId: string): void {
  channel.postMessage({ type: 'keys-here', userId } satisfies z.output<typeof KeyAnnouncement>)
}

interface KeyAnnouncementsInput {
  readonly channel: BroadcastChannel
  readonly onAnnouncement: (userId: string) => void
}

export function onKeyAnnouncement({ channel, onAnnouncement }: KeyAnnouncementsInput): void {
  channel.addEventListener('message', ({ data }) => {
    const announcement = KeyAnnouncement.safeParse(data)
    if (announcement.success) onAnnouncement(announcement.data.userId)
  })
}
