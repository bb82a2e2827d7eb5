/**
 * Characters that a terminal interprets or that change the displayed order: C0 and C1 control characters (including the
 * start of escape sequences), bidi marks, line separators, invisible characters and lone surrogates.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

/** Escapes untrusted text as one line without control characters; these are printed as `\u{1b}`. */
export const visibleText = (text: string): string =>
  text.replace(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
