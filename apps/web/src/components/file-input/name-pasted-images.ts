import { uniqueFileName } from '@sallyport/crypto'
import { intakeStrings } from '#/strings/intake.ts'

/** The name that browsers give a picture that was copied without a file. */
const unnamedImage = /^image\.\w+$/

/** Names pasted pictures that have no name of their own by the time, each differently. */
export function namePastedImages(files: readonly File[], now: Date): File[] {
  const usedNames = new Set<string>()
  return files.map((file) => {
    if (!unnamedImage.test(file.name) || !file.type.startsWith('image/')) return file
    const name = intakeStrings.pastedImage(formatForFileName(now), extensionOf(file.type))
    return new File([file], uniqueFileName(name, usedNames), { type: file.type, lastModified: file.lastModified })
  })
}

/** The usual extension of a picture of this media type, without the dot. */
const extensionOf = (type: string): string => type.slice('image/'.length).replace(/\+.*$/, '').replace('jpeg', 'jpg')

/** Formats a local date and time for a file name: `2026-11-21 22.41`. */
export function formatForFileName(date: Date): string {
  const pad = (figure: number) => String(figure).padStart(2, '0')
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-')
  return `${day} ${pad(date.getHours())}.${pad(date.getMinutes())}`
}
