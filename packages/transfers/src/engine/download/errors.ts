import { ApiError, hasCode, NetworkError } from '@sallyport/client/errors'

/** Whether the records that have arrived are worth keeping for another attempt. */
export function isRetryable(error: Error): boolean {
  if (error instanceof ApiError)
    return error.status >= 500 || retryableStatuses.has(error.status) || error.code === 'SHARE_BUSY'
  return error instanceof NetworkError || hasCode(error, 'DOWNLOAD_TIMEOUT', 'WORKER_STOPPED')
}

const retryableStatuses = new Set([401, 402, 408, 425, 429])
