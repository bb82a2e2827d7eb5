import { type FileKeys, openMessage, type RootKey, sealMessage, toBase64url } from '@sallyport/crypto'

/** The file and account that a label is bound to. */
export interface LabelContext {
  readonly accountKey: RootKey
  readonly keys: FileKeys
}

/** Seals the owner's label of a share: neither the server nor the holders of the link can read it. */
export async function sealLabel(text: string, context: LabelContext): Promise<string> {
  const sealed = await sealMessage({ ...messageContextOf(context), text, sentAt: 0 })
  return `${sealed.encryptedKey}.${sealed.encryptedContent}`
}

/** Opens a label. Rejects the label of another file. */
export async function openLabel(label: string, context: LabelContext): Promise<string> {
  const [encryptedKey = '', encryptedContent = ''] = label.split('.')
  return (await openMessage({ ...messageContextOf(context), encryptedKey, encryptedContent })).text
}

/**
 * The context is the file's own id, which its header authenticates; the prefix separates it from every conversation.
 */
const messageContextOf = ({ accountKey, keys }: LabelContext) =>
  ({ root: accountKey, kind: 'personal', contextId: `share-label:${toBase64url(keys.header.fileUid)}` }) as const
