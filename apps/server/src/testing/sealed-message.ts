import { createShareKey, type MessageKind, sealMessage } from '@sallyport/crypto'

interface Wish {
  /** The id of the user or session it is sealed for. */
  readonly contextId: string
  readonly kind?: MessageKind
  readonly text?: string
  readonly accountKey?: Uint8Array
}

/** A message as a browser seals it, in the form in which it is sent. */
export async function aSealedMessage({ contextId, kind = 'personal', text = 'gate code', accountKey }: Wish) {
  const root = accountKey ?? createShareKey()
  const sealed = await sealMessage({ root, kind, contextId, text, sentAt: Date.now() })
  return { encryptedMessage: sealed.encryptedContent, encryptedKey: sealed.encryptedKey }
}
