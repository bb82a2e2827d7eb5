import { type FileKeys, openMessage, type Root, sealMessage, toBase64url } from '@sallyport/crypto'

/** Whose label it is, known only to those who hold the account key. */
export interface LabelPlace {
  readonly accountKey: Root
  readonly keys: FileKeys
}

/** What the owner calls a share, for their own eyes: neither the server nor whoever holds the link can read it. */
export async function sealLabel(text: string, place: LabelPlace): Promise<string> {
  const sealed = await sealMessage({ ...conversationOf(place), text, sentAt: 0 })
  return `${sealed.encryptedKey}.${sealed.encryptedContent}`
}

/** Refuses the label of another file. */
export async function openLabel(label: string, place: LabelPlace): Promise<string> {
  const [encryptedKey = '', encryptedContent = ''] = label.split('.')
  return (await openMessage({ ...conversationOf(place), encryptedKey, encryptedContent })).text
}

/** Bound to the file's own id, which its header proves, and apart from every conversation there is. */
const conversationOf = ({ accountKey, keys }: LabelPlace) =>
  ({ root: accountKey, kind: 'personal', contextId: `share-label:${toBase64url(keys.header.fileUid)}` }) as const
