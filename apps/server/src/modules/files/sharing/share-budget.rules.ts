import { shareLimits } from '@sallyport/contract/limits'

/** A claim that was served more bytes than this counts as a download, whether it completes or not. */
export const downloadThreshold = (sealedBytes: number): number => Math.floor(sealedBytes / 2)

/** The maximum that one counted download is served: the file, and what is fetched again after interruptions. */
export const maxBytesPerDownload = (sealedBytes: number): number =>
  sealedBytes + Math.min(Math.floor(sealedBytes / 2), shareLimits.resumeBytes + Math.floor(sealedBytes / 8))

/**
 * Bytes are reserved in slices of this size before they are sent, so that concurrent requests cannot exceed the limit.
 */
export const sliceBytes = (sealedBytes: number): number =>
  Math.max(shareLimits.minSliceBytes, Math.ceil(sealedBytes / 16))
