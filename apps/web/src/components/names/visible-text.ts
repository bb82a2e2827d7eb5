import { replaceHidden } from '@sallyport/crypto'
import { codePoint, visibleName } from './visible-name.ts'

/** Line breaks, tabs and marks of direction, which a message may need. */
const allowedInMessages = /[\t\n\r\u061c\u200e\u200f\u2028\u2029]/u

/** Returns a message with a mark such as `[U+202E]` in place of each character that reorders or hides text around it. */
export const visibleText = (text: string): string =>
  replaceHidden(text, (character) => (allowedInMessages.test(character) ? character : codePoint(character)))

/** Returns the address of a link with a mark in place of each hidden character, also of those that a message may have. */
export const visibleAddress = (address: string): string => replaceHidden(address, codePoint)

/** Returns a name as `visibleName` does, for a sentence: it cannot reorder the words around it. */
export const nameInSentence = (name: string): string => `\u2068${visibleName(name)}\u2069`
