import type { ListedFile } from '@sallyport/contract/files'
import { ignore } from '@sallyport/contract/ignore'
import { openEnvelope, openName, type RootKey } from '@sallyport/crypto'
import { createDecryptedCache, type DecryptedCache } from '#/lib/decrypted-cache.ts'
import { fileStrings } from '#/strings/files.ts'

type EncryptedNameSource = Pick<ListedFile, 'id' | 'originalName' | 'encryptedFileKey'>

/** Decrypted names by file id. */
export interface FileNameCache
  extends Pick<DecryptedCache<EncryptedNameSource, string>, 'current' | 'subscribe' | 'decrypt'> {
  /** The name that was decrypted from this file; undefined for another file under the same id. */
  readonly nameOf: DecryptedCache<EncryptedNameSource, string>['get']
  /** Adds the name that this page has encrypted itself for an upload, so that it need not be decrypted. */
  readonly addOwn: (encrypted: Omit<EncryptedNameSource, 'id'>, name: string) => void
}

/** Identifies the encrypted name. A later list may contain another file under the same id. */
const sourceOf = ({ originalName, encryptedFileKey }: Omit<EncryptedNameSource, 'id'>): string =>
  `${originalName} ${encryptedFileKey}`

/** Finds the root key of an envelope. Rejects when it is not known. */
export type FindRootKey = (envelope: string) => Promise<RootKey>

type WrapType = 'account' | 'session'

/** Decrypts names. One that cannot be decrypted is shown as unreadable. */
export function createFileNameCache(findRootKey: FindRootKey, wrapType: WrapType = 'account'): FileNameCache {
  const ownNames = new Map<string, string>()
  const decryptOne = async (source: EncryptedNameSource) =>
    ownNames.get(sourceOf(source)) ?? decryptFileName(source, findRootKey, wrapType)
  const { get, ...cache } = createDecryptedCache({ decryptOne, sourceOf })
  return {
    ...cache,
    nameOf: (file) => get(file) ?? ownNames.get(sourceOf(file)),
    // In the form that decryption returns.
    addOwn: (encrypted, name) => void ownNames.set(sourceOf(encrypted), name.normalize('NFC').toWellFormed()),
  }
}

/** Decrypts one name; resolves to a text that says so where it cannot be decrypted. */
export async function decryptFileName(
  { originalName, encryptedFileKey: envelope }: Omit<EncryptedNameSource, 'id'>,
  findRootKey: FindRootKey,
  wrapType: WrapType = 'account',
): Promise<string> {
  try {
    const { keys } = await openEnvelope({ envelope, root: await findRootKey(envelope), wrapType })
    return (await openName(originalName, keys)).name
  } catch (error) {
    ignore(error, 'the name is shown as unreadable')
    return fileStrings.unreadableName
  }
}
