import { files } from '@sallyport/contract/files'
import { sharing } from '@sallyport/contract/sharing'
import {
  CryptoError,
  type FileKeys,
  keyIdOf,
  keyIdText,
  type OpenedEnvelope,
  openEnvelope,
  type RootKey,
} from '@sallyport/crypto'
import type { Call } from '../call.ts'
import { ClientError } from '../errors.ts'
import { getWrappedKey, type OwnFileKeyInput, openOwnFileKey } from '../own-file-key.ts'
import { type PreparedRequest, prepareRequest } from '../request.ts'
import type { SharedFile } from '../sharing/shared-file.ts'

export type DownloadSource = OwnFileSource | SessionSource | { readonly kind: 'share'; readonly share: SharedFile }

export interface OwnFileSource extends OwnFileKeyInput {
  readonly kind: 'file'
  readonly accountKey: RootKey | Promise<RootKey>
}

/** A file of a session in which the caller is a participant. */
interface SessionSource {
  readonly kind: 'session'
  readonly id: string
  /** The session key. */
  readonly root: RootKey
  readonly encryptedFileKey: string
  readonly participantToken: string
}

export interface OpenedSource {
  readonly keys: FileKeys
  readonly request: PreparedRequest
}

/** Opens the keys of a source and builds the request for its bytes. */
export async function openSource(source: DownloadSource, call: Call, baseUrl: string): Promise<OpenedSource> {
  if (source.kind === 'share') {
    const { token, proof, claim, keys } = source.share
    const input = { params: { token }, headers: { 'x-share-proof': proof, 'x-share-claim': claim } }
    return { keys, request: prepareRequest(sharing.download, input, baseUrl) }
  }
  if (source.kind === 'session') {
    const { id, root, encryptedFileKey, participantToken } = source
    const keys = await openKeys(openEnvelope({ envelope: encryptedFileKey, root, wrapType: 'session' }))
    // Imported lazily: the page of a shared link does not need the session contract.
    const { prepareSessionRequest } = await import('./session-source.ts')
    return { keys, request: prepareSessionRequest(id, participantToken, baseUrl) }
  }
  const { id } = source
  const root = await source.accountKey
  const keys = await openKeys(openOwnFileKey(await getWrappedKey(call, source), source, root))
  const sent = { params: { id }, headers: { 'x-encryption-key': keyIdText(await keyIdOf(root, 'account')) } }
  return { keys, request: prepareRequest(files.download, sent, baseUrl) }
}

async function openKeys(envelope: Promise<OpenedEnvelope>): Promise<FileKeys> {
  try {
    return (await envelope).keys
  } catch (error) {
    if (error instanceof CryptoError) throw new ClientError('FILE_KEY_MISSING', { cause: error })
    throw error
  }
}
