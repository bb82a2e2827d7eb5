import type { ListedFile } from '@sallyport/contract/files'
import { ignore } from '@sallyport/contract/ignore'
import { openEnvelope, openName, type RootKey } from '@sallyport/crypto'

/** A sealed file name with the envelope of the key that opens it. */
export type SealedFileName = Pick<ListedFile, 'originalName' | 'encryptedFileKey'>

/** Finds the root key of an envelope. Rejects when it is not known. */
export type FindRootKey = (envelope: string) => Promise<RootKey>

/** Whose key opens an envelope. */
export type NameWrapType = 'account' | 'session'

/** Decrypts the name of a file; resolves to null where it cannot be decrypted. */
export async function decryptFileName(
  { originalName, encryptedFileKey: envelope }: SealedFileName,
  findRootKey: FindRootKey,
  wrapType: NameWrapType = 'account',
): Promise<string | null> {
  try {
    const { keys } = await openEnvelope({ envelope, root: await findRootKey(envelope), wrapType })
    return (await openName(originalName, keys)).name
  } catch (error) {
    ignore(error, 'the name is shown as unreadable')
    return null
  }
}
