import { ApiError, NetworkError } from '@sallyport/client/errors'
import { errorCatalogue } from '@sallyport/contract/errors'
import { describeSharedDownload, downloadErrorStrings } from '@sallyport/web/strings/errors/download-errors'
import { describeConnectionError } from './connection-error.ts'

/** Codes whose message is more specific than the HTTP status. */
const specificCodes = new Set([
  'FILE_BYTES_LOST',
  'SHARE_PROOF_REQUIRED',
  'SHARE_BUSY',
  'RATE_LIMITED',
  'KEY_IN_REQUEST',
])

/**
 * Returns the sentence for an error. Messages from the server are never printed; only its error codes are used. Errors
 * of this program and of the operating system keep their own message.
 */
export function errorMessage(error: unknown): string {
  if (error instanceof NetworkError) return describeConnectionError(error) ?? downloadErrorStrings.network
  if (!(error instanceof ApiError))
    return describeSharedDownload(error) ?? (error instanceof Error ? error.message : String(error))
  if (error.code !== null && specificCodes.has(error.code)) return errorCatalogue[error.code].text
  return error.status === 404 ? downloadErrorStrings.sharedNotFound : downloadErrorStrings.status(error.status)
}
