import { replaceHidden } from '@sallyport/crypto'

/** Characters that terminals treat differently: joiners, also where a script needs them, lone surrogates, private ones. */
const unreliable = /[\p{Cf}\p{Cs}\p{Co}]/gu

const escapeCharacter = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`

/**
 * Escapes untrusted text as one line without characters that a terminal interprets or that hide or reorder text; these
 * are printed as `\u{1b}`.
 */
export const visibleText = (text: string): string =>
  replaceHidden(text, escapeCharacter).replace(unreliable, escapeCharacter)
