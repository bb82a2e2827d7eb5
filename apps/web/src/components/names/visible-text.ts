import { invisibleCharacters } from '@sallyport/crypto'

/** Characters that reorder or hide the text around them. */
const deceptive = /[\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu
/** Joiners after characters that never join. They are needed in emoji and in many scripts. */
const needlessJoiners = /(?<=^|[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{N}\p{P}\p{Z}])[\u200c\u200d]/gu
/** Characters of other alphabets that look like Latin ones. */
const lookAlikes = /[аеорсухіјѕԁԛԝһαορνυχıɡ]/giu
const latinOrLookAlike = /^[\p{ASCII}аеорсухіјѕԁԛԝһαορνυχıɡ]*$/iu

const codePoint = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/** Returns a message with a mark such as `[U+202E]` in place of each character that reorders or hides text around it. */
export const visibleText = (text: string): string => text.replace(deceptive, codePoint)

/**
 * Returns a name with a mark such as `[U+202E]` in place of each character that reorders, hides or breaks text around
 * it. In the extension, which tells the type of a file, a look-alike of a Latin character is followed by its mark.
 */
export function visibleName(name: string): string {
  const { stem, extension } = splitExtension(
    name.replace(invisibleCharacters, codePoint).replace(needlessJoiners, codePoint),
  )
  if (!latinOrLookAlike.test(extension)) return stem + extension
  return stem + extension.replace(lookAlikes, (character) => character + codePoint(character))
}

/** Splits a name before the dot of its extension, which is empty for a name without one. */
export function splitExtension(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? { stem: name.slice(0, dot), extension: name.slice(dot) } : { stem: name, extension: '' }
}
