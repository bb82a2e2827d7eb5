import { namePastedImages } from './name-pasted-images.ts'

/** The contents of the clipboard: files, or otherwise text. Both are empty when it holds neither. */
export interface ClipboardContent {
  readonly files: readonly File[]
  readonly text: string
}

/** Whether the page can read the clipboard without a paste shortcut, as on phones. */
export const canReadClipboard = (): boolean => typeof navigator.clipboard?.read === 'function'

/** Reads the clipboard. The browser may ask the user for permission; rejects where it is denied. */
export async function readClipboard(now: Date): Promise<ClipboardContent> {
  const items = await navigator.clipboard.read()
  const images = await Promise.all(items.map(imageOf))
  const files = namePastedImages(
    images.filter((image) => image !== null),
    now,
  )
  const texts = files.length > 0 ? [] : await Promise.all(items.map(textOf))
  return { files, text: texts.join('') }
}

async function imageOf(item: ClipboardItem): Promise<File | null> {
  const type = item.types.find((candidate) => candidate.startsWith('image/'))
  return type === undefined ? null : new File([await item.getType(type)], 'image.bin', { type })
}

async function textOf(item: ClipboardItem): Promise<string> {
  return item.types.includes('text/plain') ? (await item.getType('text/plain')).text() : ''
}
