import type { Call } from '@sallyport/client/call'
import { ClientError } from '@sallyport/client/errors'
import type { PreparedRequest } from '@sallyport/client/request'
import { CryptoError, type FileKeys, type OpenedEnvelope } from '@sallyport/crypto'

/** A file that can be downloaded. */
export interface DownloadSource {
  /** The path of the sealed bytes on the server. */
  readonly path: string
  /** Whether requests for the bytes carry the access token of an account. */
  readonly needsAccessToken: boolean
  /** Opens the keys and builds the request for the bytes. Rejects with `FILE_KEY_MISSING` if the key does not open. */
  readonly open: (call: Call, baseUrl: string) => Promise<OpenedSource>
}

export interface OpenedSource {
  readonly keys: FileKeys
  readonly request: PreparedRequest
}

/** The keys in an opened envelope. Rejects with `FILE_KEY_MISSING` if it could not be opened. */
export async function keysOf(envelope: Promise<OpenedEnvelope>): Promise<FileKeys> {
  try {
    return (await envelope).keys
  } catch (error) {
    if (error instanceof CryptoError) throw new ClientError('FILE_KEY_MISSING', { cause: error })
    throw error
  }
}
