import { downloadTexts, shareTexts } from '@sallyport/client/download/texts'
import { ApiError } from '@sallyport/client/errors'
import { errorCatalogue } from '@sallyport/contract/errors'

/** Codes whose sentence says more than the status of the answer. */
const telling = new Set(['SHARE_PROOF_REQUIRED', 'SHARE_BUSY', 'RATE_LIMITED', 'KEY_IN_REQUEST'])

/** The sentence for an error. What a server wrote is never printed: its code stands for a sentence of this program. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (error.code !== null && telling.has(error.code)) return errorCatalogue[error.code].text
  return error.status === 404 ? shareTexts.notFound : downloadTexts.status(error.status)
}
