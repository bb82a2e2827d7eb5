import { safeFileName } from '@sallyport/crypto'

/** Long enough for any browser to have begun reading. */
const addressKeptMs = 60_000

/** Puts bytes into the person's downloads under a harmless form of the name. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = safeFileName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), addressKeptMs)
}
