import { intakeStrings } from '#/strings/intake.ts'

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
  const images = await Promise.all(items.map((item) => imageOf(item, now)))
  const files = images.filter((picture) => picture !== null)
  const texts = files.length > 0 ? [] : await Promise.all(items.map(textOf))
  return { files, text: texts.join('') }
}

async function imageOf(item: ClipboardItem, now: Date): Promise<File | null> {
  const type = item.types.find((candidate) => candidate.startsWith('image/'))
  if (type === undefined) return null
  const extension = type.slice('image/'.length).replace(/\+.*$/, '').replace('jpeg', 'jpg')
  return new File([await item.getType(type)], intakeStrings.pastedImage(formatForFileName(now), extension), { type })
}

async function textOf(item: ClipboardItem): Promise<string> {
  return item.types.includes('text/plain') ? (await item.getType('text/plain')).text() : ''
}

/** Formats a local date and time for a file name: `2026-11-21 22.41`. */
export function formatForFileName(date: Date): string {
  const pad = (figure: number) => String(figure).padStart(2, '0')
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-')
  return `${day} ${pad(date.getHours())}.${pad(date.getMinutes())}`
}
