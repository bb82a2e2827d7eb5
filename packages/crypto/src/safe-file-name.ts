import { utf8 } from './bytes.ts'
import { splitExtension, withPlainExtension } from './file-extension.ts'
import { partsOfPath } from './file-path.ts'
import { replaceHidden } from './hidden-characters.ts'

const maxBytes = 200
const maxExtensionBytes = 20
const fallbackName = 'file'

// Separators, and characters that Windows reserves.
const reservedCharacters = /[/\\:*?"<>|]/g
const leadingOrTrailingDots = /^[.\s]+|[.\s]+$/gu
// One ordinary space is shown as such; others can push the extension out of sight.
const spacesBeforeExtension = /\s{2,}(?=\.[^.]*$)|[^\S ](?=\.[^.]*$)/u
const reservedDeviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i

/**
 * Returns a name without folders that is safe on every file system and as close to the given one as possible. Never
 * empty. It has no hidden characters, and an extension that looks like ASCII is ASCII.
 */
export function safeFileName(name: string): string {
  const cleaned = replaceHidden((partsOfPath(name).at(-1) ?? '').toWellFormed(), () => '')
    .normalize('NFC')
    .replace(reservedCharacters, '_')
    .replace(leadingOrTrailingDots, '')
  const plain = withPlainExtension(cleaned).replace(spacesBeforeExtension, ' ')
  const allowed = reservedDeviceName.test(plain) ? `_${plain}` : plain
  const safe = shorten(allowed, '') || fallbackName
  // A shortened name may end in another extension.
  return safe === name ? safe : safeFileName(safe)
}

/** Inserts a suffix before the extension and shortens the stem until all of it fits. */
export function shorten(name: string, suffix: string): string {
  const { stem, extension } = splitShortExtension(name)
  const availableBytes = maxBytes - utf8(suffix + extension).length
  const cut = truncateBytes(stem, availableBytes)
  const cleanedStem = cut === stem ? stem : cut.replace(leadingOrTrailingDots, '')
  return cleanedStem + suffix + extension
}

function splitShortExtension(name: string): { readonly stem: string; readonly extension: string } {
  const { stem, extension } = splitExtension(name)
  return utf8(extension).length > maxExtensionBytes ? { stem: name, extension: '' } : { stem, extension }
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
