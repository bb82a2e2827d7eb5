import { type OwnShare, openShare, type ShareChange } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from './account.ts'

interface SharedByLink {
  readonly account: Account
  readonly id: string
  readonly link: string
  /** The share as its owner sees it at this moment. */
  readonly look: () => Promise<OwnShare>
}

/** Uploads a file for an hour and shares it by a link, which may be limited. */
export async function shareByLink(origin: string, file: File, limit: ShareChange = {}): Promise<SharedByLink> {
  const account = await createAccount(origin)
  const { call, accountKey } = account
  const id = await account.upload(file, 60)
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  const shared = { id, encryptedFileKey, accountKey, origin }
  const { link } = await openShare(call, shared, limit)
  return { account, id, link, look: () => openShare(call, shared) }
}
