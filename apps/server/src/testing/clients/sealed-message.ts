import { createShareKey, type MessageKind, sealMessage } from '@sallyport/crypto'

interface SealMessageOptions {
  /** Id of the user or session. */
  readonly contextId: string
  readonly kind?: MessageKind
  readonly text?: string
  readonly rootKey?: Uint8Array
}

/** Seals a message as a browser does, in the format in which it is sent. */
export async function createSealedMessage({
  contextId,
  kind = 'personal',
  text = 'gate code',
  rootKey,
}: SealMessageOptions) {
  const root = rootKey ?? createShareKey()
  const sealed = await sealMessage({ root, kind, contextId, text, sentAt: Date.now() })
  return { encryptedMessage: sealed.encryptedContent, encryptedKey: sealed.encryptedKey }
}
