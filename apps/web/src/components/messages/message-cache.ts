import { ignore } from '@sallyport/contract/ignore'
import { createDecryptedCache, type DecryptedCache } from '#/lib/decrypted-cache.ts'
import type { ListedMessage } from './listed-message.ts'

type EncryptedMessage = Pick<ListedMessage, 'id' | 'encryptedContent' | 'encryptedKey'>

export interface MessageAuthor {
  /** The name that the author chose. Anybody may choose any name. */
  readonly name: string
  readonly isMe: boolean
}

/** A decrypted message. */
interface DecryptedMessage {
  readonly text: string
  /** Epoch milliseconds, by the sender's clock. */
  readonly sentAt: number
  /** Absent where all messages belong to one user. */
  readonly author?: MessageAuthor
  /** The key epoch of a session under which it was sealed; absent where the key does not change. */
  readonly keyEpoch?: number
}

/** Decrypted messages by id; null where the available key does not decrypt one. */
export type DecryptedMessages = ReadonlyMap<string, DecryptedMessage | null>

export interface MessageCache<Listed extends EncryptedMessage = ListedMessage>
  extends Omit<DecryptedCache<Listed, DecryptedMessage | null>, 'get'> {
  /** Decrypts all and returns their texts in this order, without undecryptable ones and each message once. */
  readTexts(listed: readonly Listed[]): Promise<readonly string[]>
}

/** Rejects where the available key does not decrypt the message. */
export type DecryptMessage<Listed> = (message: Listed) => Promise<DecryptedMessage>

/** Decrypts messages, the newest first. One that cannot be decrypted stays in the list as unreadable. */
export function createMessageCache<Listed extends EncryptedMessage>(
  decrypt: DecryptMessage<Listed>,
): MessageCache<Listed> {
  const decryptOne = (message: Listed) => decrypt(message).catch(unreadable)
  const cache = createDecryptedCache({ decryptOne, isSameContent: () => true })
  return {
    ...cache,
    decrypt: (listed) => cache.decrypt(listed.toReversed()),
    async readTexts(listed) {
      const texts = new Map<string, string>()
      for (const message of listed) {
        const cached = cache.current().get(message.id)
        const decrypted = cached === undefined ? await decryptOne(message) : cached
        if (decrypted && !texts.has(message.encryptedKey)) texts.set(message.encryptedKey, decrypted.text)
      }
      return [...texts.values()]
    },
  }
}

function unreadable(error: unknown): null {
  ignore(error, 'the message is shown as unreadable')
  return null
}
