import { files } from '@sallyport/contract/files'
import { type OpenedEnvelope, openEnvelope, openName, type RootKey } from '@sallyport/crypto'
import type { Call } from './call.ts'

/** One of the caller's own files, as the list returns it. */
export interface OwnFileKeyInput {
  readonly id: string
  /** The wrapped key. Without it, the server is asked for it. */
  readonly encryptedFileKey?: string | undefined
  /** The sealed name. A key that the server returns must open it. */
  readonly originalName?: string | undefined
}

/** Returns the wrapped key of a file; empty where there is none. Rejects as the call does. */
export async function getWrappedKey(call: Call, { id, encryptedFileKey }: OwnFileKeyInput): Promise<string> {
  return encryptedFileKey ?? (await call(files.key, { params: { id } })).encryptedFileKey
}

/**
 * Opens the wrapped key of an own file. The server could return the key of another file of the same account, so a key
 * from the server is accepted only if it opens the name of the chosen file; otherwise throws a `CryptoError`.
 */
export async function openOwnFileKey(
  envelope: string,
  { encryptedFileKey, originalName }: OwnFileKeyInput,
  root: RootKey,
): Promise<OpenedEnvelope> {
  const opened = await openEnvelope({ envelope, root, wrapType: 'account' })
  if (encryptedFileKey === undefined) await openName(originalName ?? '', opened.keys)
  return opened
}
