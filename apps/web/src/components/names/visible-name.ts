import { replaceHidden, replaceLookAlikes, splitExtension } from '@sallyport/crypto'

const outerSpaces = /^\s+|\s+$/gu
const unusualSpace = /[^\S ]/gu

/** Returns the mark of a character, such as `[U+202E]`. */
export const codePoint = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/**
 * Returns a name with a mark such as `[U+202E]` in place of each character that reorders, hides or breaks text around
 * it, and of unusual spaces at its ends and before its extension. In the extension, which tells the type of a file, a
 * look-alike of a Latin character is followed by its mark.
 */
export function visibleName(name: string): string {
  const { stem, extension } = splitExtension(replaceHidden(name, codePoint))
  const marked = replaceLookAlikes(extension, (character) => character + codePoint(character))
  return stem.replace(outerSpaces, (spaces) => spaces.replace(unusualSpace, codePoint)) + marked
}
