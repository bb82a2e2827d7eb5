import * as z from 'zod/mini'
import type { KeptKeys } from './kept-keys.ts'

const Question = z.object({ type: z.literal('keys-wanted'), userId: z.string(), nonce: z.string() })
const Answer = z.object({
  type: z.literal('keys-given'),
  userId: z.string(),
  nonce: z.string(),
  masterKey: z.string(),
  accountKey: z.string(),
})
const Offer = z.object({ type: z.literal('keys-here'), userId: z.string() })

/** The name of the channel that the tabs of this origin share. */
export const handOverChannel = 'sallyport-keys'

interface Asking {
  readonly channel: BroadcastChannel
  readonly userId: string
  readonly waitMs: number
}

/** Asks the other open tabs for the keys of an account; null when none of them answers in time. */
export function askOtherTabs({ channel, userId, waitMs }: Asking): Promise<KeptKeys | null> {
  const nonce = crypto.randomUUID()
  return new Promise((resolve) => {
    function finish(keys: KeptKeys | null) {
      clearTimeout(timer)
      channel.removeEventListener('message', hear)
      resolve(keys)
    }
    function hear({ data }: MessageEvent) {
      const answer = Answer.safeParse(data)
      if (!answer.success || answer.data.nonce !== nonce || answer.data.userId !== userId) return
      const { masterKey, accountKey } = answer.data
      finish({ userId, masterKey, accountKey })
    }
    const timer = setTimeout(() => finish(null), waitMs)
    channel.addEventListener('message', hear)
    channel.postMessage({ type: 'keys-wanted', userId, nonce } satisfies z.output<typeof Question>)
  })
}

interface Answering {
  readonly channel: BroadcastChannel
  /** The keys of this account if this tab holds them now. */
  readonly keysOf: (userId: string) => KeptKeys | null
}

/** Gives the keys to whichever tab asks for those of the same account, until the returned function is called. */
export function answerOtherTabs({ channel, keysOf }: Answering): () => void {
  function hear({ data }: MessageEvent) {
    const question = Question.safeParse(data)
    if (!question.success) return
    const { userId, nonce } = question.data
    const keys = keysOf(userId)
    if (!keys) return
    const { masterKey, accountKey } = keys
    channel.postMessage({ type: 'keys-given', userId, nonce, masterKey, accountKey } satisfies z.output<typeof Answer>)
  }
  channel.addEventListener('message', hear)
  return () => channel.removeEventListener('message', hear)
}

/** Tells the other tabs that this one has just opened an account. No key is in it: who needs one asks. */
export function offerKeys(channel: BroadcastChannel, userId: string): void {
  channel.postMessage({ type: 'keys-here', userId } satisfies z.output<typeof Offer>)
}

interface Hearing {
  readonly channel: BroadcastChannel
  readonly onOffer: (userId: string) => void
}

export function hearOffers({ channel, onOffer }: Hearing): void {
  channel.addEventListener('message', ({ data }) => {
    const offer = Offer.safeParse(data)
    if (offer.success) onOffer(offer.data.userId)
  })
}
