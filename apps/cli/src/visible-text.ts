/**
 * What a terminal would act on, or show in another order than it stands there: control characters of both sets (escape
 * sequences begin with one), marks of writing direction, separators, invisible characters and halves of pairs.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

/** Text from elsewhere as one line in which nothing acts on the terminal: such characters stand there as `\u{1b}`. */
export const visibleText = (text: string): string =>
  text.replace(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
