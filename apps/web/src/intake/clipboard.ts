/** What lies on the clipboard: files, or else a text; both empty when it holds neither. */
export interface ClipboardContent {
  readonly files: readonly File[]
  readonly text: string
}

/** Whether the page may ask for the clipboard without a key being pressed, as on phones. */
export const canReadClipboard = (): boolean => typeof navigator.clipboard?.read === 'function'

/** Asks the browser, which asks the person. Rejects where one of them refuses. */
export async function readClipboard(now: Date): Promise<ClipboardContent> {
  const items = await navigator.clipboard.read()
  const pictures = await Promise.all(items.map((item) => pictureOf(item, now)))
  const files = pictures.filter((picture) => picture !== null)
  const texts = files.length > 0 ? [] : await Promise.all(items.map(textOf))
  return { files, text: texts.join('') }
}

async function pictureOf(item: ClipboardItem, now: Date): Promise<File | null> {
  const type = item.types.find((candidate) => candidate.startsWith('image/'))
  if (type === undefined) return null
  const ending = type.slice('image/'.length).replace(/\+.*$/, '').replace('jpeg', 'jpg')
  return new File([await item.getType(type)], `Pasted image ${writeMoment(now)}.${ending}`, { type })
}

async function textOf(item: ClipboardItem): Promise<string> {
  return item.types.includes('text/plain') ? (await item.getType('text/plain')).text() : ''
}

/** A moment by the clock of this device, fit for a file name: `2026-11-21 22.41`. */
export function writeMoment(moment: Date): string {
  const two = (figure: number) => String(figure).padStart(2, '0')
  const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-')
  return `${day} ${two(moment.getHours())}.${two(moment.getMinutes())}`
}
