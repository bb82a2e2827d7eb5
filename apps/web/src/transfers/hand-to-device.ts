import { safeFileName } from '@sallyport/crypto'
import { saveBlob } from './save-blob.ts'

interface Handed {
  /** Written on the file that the other program receives. */
  readonly name: string
  readonly type: string
}

/** `needs-press` when the browser wants the person to press once more, now that the bytes are at hand. */
export type HandOver = 'handed' | 'needs-press'

/** Gives a file to the device's own share sheet, from where it can go into the camera roll; without one, to the downloads. */
export async function handToDevice(blob: Blob, { name, type }: Handed): Promise<HandOver> {
  const file = new File([blob], safeFileName(name), { type })
  if (!canShare(file)) return saveInstead(blob, name)
  try {
    await navigator.share({ files: [file] })
    return 'handed'
  } catch (error) {
    const reason = error instanceof DOMException ? error.name : ''
    // Whoever closes the sheet has decided.
    if (reason === 'AbortError') return 'handed'
    return reason === 'NotAllowedError' && !navigator.userActivation.isActive ? 'needs-press' : saveInstead(blob, name)
  }
}

const canShare = (file: File): boolean => 'canShare' in navigator && navigator.canShare({ files: [file] })

function saveInstead(blob: Blob, name: string): 'handed' {
  saveBlob(blob, name)
  return 'handed'
}
