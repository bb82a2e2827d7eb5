import { utf8 } from './bytes.ts'
import { partsOfPath } from './file-path.ts'
import { invisibleCharacters } from './invisible-characters.ts'

const maxBytes = 200
const maxExtensionBytes = 20
const fallbackName = 'file'

// Separators, and characters that Windows reserves.
const reservedCharacters = /[/\\:*?"<>|]/g
const leadingOrTrailingDots = /^[.\s]+|[.\s]+$/gu
const reservedDeviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i

/**
 * Returns a name without folders that is safe on every file system and as close to the given one as possible. Never
 * empty.
 */
export function safeFileName(name: string): string {
  const cleaned = (partsOfPath(name).at(-1) ?? '')
    .toWellFormed()
    .replace(invisibleCharacters, '')
    .normalize('NFC')
    .replace(reservedCharacters, '_')
  const trimmed = cleaned.replace(leadingOrTrailingDots, '')
  const allowed = reservedDeviceName.test(trimmed) ? `_${trimmed}` : trimmed
  return shorten(allowed, '') || fallbackName
}

/** Returns a safe name that differs from all used ones case-insensitively, and adds it to `usedNames`. */
export function uniqueFileName(name: string, usedNames: Set<string>): string {
  const safe = safeFileName(name)
  let unique = safe
  for (let count = 2; usedNames.has(foldCase(unique)); count += 1) unique = numberedFileName(safe, count)
  usedNames.add(foldCase(unique))
  return unique
}

/** A safe name with a number before its extension. */
export const numberedFileName = (safe: string, count: number): string => shorten(safe, ` (${count})`)

export const foldCase = (name: string): string => name.normalize('NFC').toLowerCase()

/** Inserts a suffix before the extension and shortens the stem until all of it fits. */
function shorten(name: string, suffix: string): string {
  const { stem, extension } = splitExtension(name)
  const availableBytes = maxBytes - utf8(suffix + extension).length
  const cut = truncateBytes(stem, availableBytes)
  const cleanedStem = cut === stem ? stem : cut.replace(leadingOrTrailingDots, '')
  return cleanedStem + suffix + extension
}

function splitExtension(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  if (utf8(extension).length > maxExtensionBytes) return { stem: name, extension: '' }
  return { stem: name.slice(0, name.length - extension.length), extension }
}

function truncateBytes(text: string, limit: number): string {
  let result = ''
  let usedBytes = 0
  for (const character of text) {
    usedBytes += utf8(character).length
    if (usedBytes > limit) return result
    result += character
  }
  return result
}
