import { safeFileName } from '@sallyport/crypto'

/** Long enough for any browser to start reading. */
const objectUrlLifetimeMs = 60_000

/** Saves bytes to the user's downloads under a sanitized name. */
export function saveBlob(blob: Blob, name: string): void {
  const objectUrl = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = objectUrl
  link.download = safeFileName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(objectUrl), objectUrlLifetimeMs)
}
