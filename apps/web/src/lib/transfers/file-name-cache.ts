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
}

/** Identifies the encrypted name. A later list may contain another file under the same id. */
const sourceOf = ({ originalName, encryptedFileKey }: EncryptedNameSource): string =>
  `${originalName} ${encryptedFileKey}`

/** Finds the root key of an envelope. Rejects when it is not known. */
export type FindRootKey = (envelope: string) => Promise<RootKey>

/** Decrypts names. One that cannot be decrypted is shown as unreadable. */
export function createFileNameCache(
  findRootKey: FindRootKey,
  wrapType: 'account' | 'session' = 'account',
): FileNameCache {
  async function decryptOne({ originalName, encryptedFileKey: envelope }: EncryptedNameSource): Promise<string> {
    try {
      const { keys } = await openEnvelope({ envelope, root: await findRootKey(envelope), wrapType })
      return (await openName(originalName, keys)).name
    } catch (error) {
      ignore(error, 'the name is shown as unreadable')
      return fileStrings.unreadableName
    }
  }

  const { get, ...cache } = createDecryptedCache({ decryptOne, sourceOf })
  return { ...cache, nameOf: get }
}
