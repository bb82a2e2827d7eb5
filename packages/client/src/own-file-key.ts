import { files } from '@sallyport/contract/files'
import { type OpenedEnvelope, openEnvelope, openName, type Root } from '@sallyport/crypto'
import type { Call } from './call.ts'

/** One of the caller's own files, as the list shows it. */
export interface OwnFileKey {
  readonly id: string
  /** The wrapped key. Without it the server is asked. */
  readonly encryptedFileKey?: string | undefined
  /** The sealed name. What the server answers to the question for a key has to open it. */
  readonly originalName?: string | undefined
}

/** The wrapped key of a file; empty where there is none. Rejects as the call does. */
export async function wrappedKeyOf(call: Call, { id, encryptedFileKey }: OwnFileKey): Promise<string> {
  return encryptedFileKey ?? (await call(files.key, { params: { id } })).encryptedFileKey
}

/**
 * Opens the wrapped key of an own file. A key that the server answered opens every file it was made for, so it counts
 * only where it opens the name of the file that was chosen; throws a `CryptoError` for any other.
 */
export async function openOwnKey(
  envelope: string,
  { encryptedFileKey, originalName }: OwnFileKey,
  root: Root,
): Promise<OpenedEnvelope> {
  const opened = await openEnvelope({ envelope, root, wrapType: 'account' })
  if (encryptedFileKey === undefined) await openName(originalName ?? '', opened.keys)
  return opened
}
