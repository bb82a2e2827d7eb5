import { utf8 } from './bytes.ts'
import { partsOfPath } from './file-path.ts'

const longestBytes = 200
const longestExtensionBytes = 20
const nameForNothing = 'file'

// Control characters, and those that reorder, hide or break the text around them.
const unseen = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu
// Separators, and what Windows forbids or gives a meaning to.
const reservedCharacters = /[/\\:*?"<>|]/g
const edges = /^[.\s]+|[.\s]+$/gu
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i

/** A name that is harmless on every file system, as near to the given one without its folders as can be. Never empty. */
export function safeFileName(name: string): string {
  const legible = (partsOfPath(name).at(-1) ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(unseen, '')
    .replace(reservedCharacters, '_')
  const trimmed = legible.replace(edges, '')
  const free = deviceName.test(trimmed) ? `_${trimmed}` : trimmed
  return shorten(free, '') || nameForNothing
}

/** A safe name that differs from all those taken, whatever the case of their letters. Adds it to `taken`. */
export function uniqueFileName(name: string, taken: Set<string>): string {
  const safe = safeFileName(name)
  let unique = safe
  for (let count = 2; taken.has(foldCase(unique)); count += 1) unique = numberedFileName(safe, count)
  taken.add(foldCase(unique))
  return unique
}

/** A safe name with a number in front of its extension. */
export const numberedFileName = (safe: string, count: number): string => shorten(safe, ` (${count})`)

export const foldCase = (name: string): string => name.normalize('NFC').toLowerCase()

/** Puts a suffix before the extension and cuts the rest of the name until all of it fits. */
function shorten(name: string, suffix: string): string {
  const { stem, extension } = splitExtension(name)
  const room = longestBytes - utf8(suffix + extension).length
  const cut = cutBytes(stem, room)
  const tidy = cut === stem ? stem : cut.replace(edges, '')
  return tidy + suffix + extension
}

function splitExtension(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  if (utf8(extension).length > longestExtensionBytes) return { stem: name, extension: '' }
  return { stem: name.slice(0, name.length - extension.length), extension }
}

function cutBytes(text: string, room: number): string {
  let cut = ''
  let used = 0
  for (const character of text) {
    used += utf8(character).length
    if (used > room) return cut
    cut += character
  }
  return cut
}
