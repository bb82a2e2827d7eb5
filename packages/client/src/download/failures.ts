import { clientErrors } from '@sallyport/contract/error-codes'
import { ApiError, NetworkError } from '../errors.ts'
import { downloadTexts, shareTexts } from './texts.ts'

/** The refusal of a download in the words a person reads; it stays an `ApiError`. */
export function inDownloadWords(error: ApiError, kind: 'file' | 'share' | 'session'): ApiError {
  // The sentence of the contract, not the one that came: whoever answers does not choose what people read.
  if (error.code !== null && Object.hasOwn(clientErrors, error.code)) {
    return new ApiError({ ...error, message: clientErrors[error.code as keyof typeof clientErrors].text })
  }
  const notFound = kind === 'share' ? shareTexts.notFound : downloadTexts.notFound
  const message = error.status === 404 ? notFound : downloadTexts.status(error.status)
  return new ApiError({ ...error, message })
}

/** Whether what has arrived is worth keeping for another attempt. */
export function mayGoOn(error: Error): boolean {
  if (error instanceof ApiError) return error.status >= 500 || passing.has(error.status) || error.code === 'SHARE_BUSY'
  return error instanceof NetworkError || error.message === downloadTexts.timeout
}

const passing = new Set([401, 402, 408, 425, 429])

export const networkFailure = (cause?: unknown): NetworkError => new NetworkError(downloadTexts.network, { cause })
