import { safeFileName } from '@sallyport/crypto'
import { saveBlob } from './save-blob.ts'

interface DeviceFileMetadata {
  /** The name of the file that the other app receives. */
  readonly name: string
  readonly type: string
}

/** `needs-press` when the browser requires another user gesture, now that the bytes are loaded. */
export type DeviceShareResult = 'handed' | 'needs-press'

/**
 * Opens the device's share sheet with a file, from where it can be saved to the photo library. Saves it to the
 * downloads where there is no share sheet.
 */
export async function shareWithDevice(blob: Blob, { name, type }: DeviceFileMetadata): Promise<DeviceShareResult> {
  const file = new File([blob], safeFileName(name), { type })
  if (!canShare(file)) return saveInstead(blob, name)
  try {
    await navigator.share({ files: [file] })
    return 'handed'
  } catch (error) {
    const reason = error instanceof DOMException ? error.name : ''
    // Closing the share sheet is a decision of the user, not a failure.
    if (reason === 'AbortError') return 'handed'
    return reason === 'NotAllowedError' && !navigator.userActivation.isActive ? 'needs-press' : saveInstead(blob, name)
  }
}

const canShare = (file: File): boolean => 'canShare' in navigator && navigator.canShare({ files: [file] })

function saveInstead(blob: Blob, name: string): 'handed' {
  saveBlob(blob, name)
  return 'handed'
}
