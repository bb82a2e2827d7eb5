import { createOrUpdateShare, type OwnShare, type UpdateShareInput } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from '../account/account.ts'

interface SharedFile {
  readonly account: Account
  readonly id: string
  readonly link: string
  /** Fetches the share as its owner sees it. */
  readonly getShare: () => Promise<OwnShare>
}

/** Uploads a file for an hour and shares it by a link, which may be limited. */
export async function shareByLink(origin: string, file: File, limits: UpdateShareInput = {}): Promise<SharedFile> {
  const account = await createAccount(origin)
  const { call, accountKey } = account
  const id = await account.upload(file, 60)
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  const shared = { id, encryptedFileKey, accountKey, origin }
  const { link } = await createOrUpdateShare(call, shared, limits)
  return { account, id, link, getShare: () => createOrUpdateShare(call, shared) }
}
