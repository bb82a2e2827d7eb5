import { shareLimits } from '@sallyport/contract/limits'

/** A claim that was served more than this is a download, whether it ends or not. */
export const partOfDownload = (sealedBytes: number): number => Math.floor(sealedBytes / 2)

/** The most that one counted download is served: the file, and what is fetched again after broken connections. */
export const bytesPerDownload = (sealedBytes: number): number =>
  sealedBytes + Math.min(Math.floor(sealedBytes / 2), shareLimits.resumeBytes + Math.floor(sealedBytes / 8))

/** Bytes are booked in slices of this size before they are sent, so that many requests at once cannot pass the limit. */
export const sliceBytes = (sealedBytes: number): number =>
  Math.max(shareLimits.smallestSliceBytes, Math.ceil(sealedBytes / 16))
