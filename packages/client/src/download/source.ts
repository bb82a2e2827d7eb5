import { files } from '@sallyport/contract/files'
import { sharing } from '@sallyport/contract/sharing'
import {
  CryptoError,
  type FileKeys,
  keyIdOf,
  keyIdText,
  type OpenedEnvelope,
  openEnvelope,
  type Root,
} from '@sallyport/crypto'
import type { Call } from '../call.ts'
import { ApiError, NetworkError } from '../errors.ts'
import { type OwnFileKey, openOwnKey, wrappedKeyOf } from '../own-file-key.ts'
import { type PreparedRequest, prepareRequest } from '../request.ts'
import type { SharedFile } from '../sharing/shared-file.ts'
import { inDownloadWords, networkFailure } from './failures.ts'
import { downloadTexts } from './texts.ts'

export type DownloadSource = OwnFile | SessionSource | { readonly kind: 'share'; readonly share: SharedFile }

export interface OwnFile extends OwnFileKey {
  readonly kind: 'file'
  readonly accountKey: Root | Promise<Root>
}

/** A file of a session that the caller is in. */
interface SessionSource {
  readonly kind: 'session'
  readonly id: string
  /** The key of the session. */
  readonly root: Root
  readonly encryptedFileKey: string
  readonly participantToken: string
}

export interface OpenedSource {
  readonly keys: FileKeys
  readonly request: PreparedRequest
}

/** Finds the keys of a source and writes the request for its bytes. */
export async function openSource(source: DownloadSource, call: Call, baseUrl: string): Promise<OpenedSource> {
  if (source.kind === 'share') {
    const { token, proof, claim, keys } = source.share
    const sent = { params: { token }, headers: { 'x-share-proof': proof, 'x-share-claim': claim } }
    return { keys, request: prepareRequest(sharing.download, sent, baseUrl) }
  }
  if (source.kind === 'session') {
    const { id, root, encryptedFileKey, participantToken } = source
    const keys = await openKey(openEnvelope({ envelope: encryptedFileKey, root, wrapType: 'session' }))
    // Whoever opens a shared link has no use for all that sessions can say.
    const { sessionRequest } = await import('./session-source.ts')
    return { keys, request: sessionRequest(id, participantToken, baseUrl) }
  }
  const { id } = source
  const root = await source.accountKey
  const keys = await openKey(openOwnKey(await askForKey(call, source), source, root))
  const sent = { params: { id }, headers: { 'x-encryption-key': keyIdText(await keyIdOf(root, 'account')) } }
  return { keys, request: prepareRequest(files.download, sent, baseUrl) }
}

async function askForKey(call: Call, file: OwnFile): Promise<string> {
  try {
    return await wrappedKeyOf(call, file)
  } catch (error) {
    if (error instanceof ApiError) throw inDownloadWords(error, 'file')
    throw error instanceof NetworkError ? networkFailure(error) : error
  }
}

async function openKey(opening: Promise<OpenedEnvelope>): Promise<FileKeys> {
  try {
    return (await opening).keys
  } catch (error) {
    if (error instanceof CryptoError) throw new Error(downloadTexts.noKey, { cause: error })
    throw error
  }
}
