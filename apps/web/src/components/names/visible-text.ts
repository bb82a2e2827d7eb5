import { replaceHidden, replaceLookAlikes, splitExtension } from '@sallyport/crypto'

/** Line breaks, tabs and marks of direction, which a message may need. */
const allowedInMessages = /[\t\n\r\u061c\u200e\u200f\u2028\u2029]/u
const outerSpaces = /^\s+|\s+$/gu
const unusualSpace = /[^\S ]/gu

const codePoint = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/** Returns a message with a mark such as `[U+202E]` in place of each character that reorders or hides text around it. */
export const visibleText = (text: string): string =>
  replaceHidden(text, (character) => (allowedInMessages.test(character) ? character : codePoint(character)))

/** Returns the address of a link with a mark in place of each hidden character, also of those that a message may have. */
export const visibleAddress = (address: string): string => replaceHidden(address, codePoint)

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

/** Returns a name as `visibleName` does, for a sentence: it cannot reorder the words around it. */
export const nameInSentence = (name: string): string => `\u2068${visibleName(name)}\u2069`
