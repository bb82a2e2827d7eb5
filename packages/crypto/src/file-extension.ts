/** The dot, full stops of other scripts that look like it, and compatibility characters that contain one. */
const dots = /[.\u2024\u2488-\u249b\ua4f8\ua60e\ufe52\uff0e]/gu

// Characters of other alphabets that look like Latin ones.
const lookAlike = /[аеорсухіјѕԁԛԝһαορνυχıɡ]/iu
const latinOrLookAlike = /^[\p{ASCII}аеорсухіјѕԁԛԝһαορνυχıɡ]*$/iu
const ascii = /^\p{ASCII}*$/u
const letter = /\p{L}/u

/**
 * Splits a name before the dot of its extension, which is empty for a name without one. A look-alike of the dot counts
 * if what follows looks like a Latin extension.
 */
export function splitExtension(name: string): { readonly stem: string; readonly extension: string } {
  const file = name.slice(name.lastIndexOf('/') + 1)
  const lastDot = Array.from(file.matchAll(dots)).at(-1)?.index ?? -1
  const dot = isLatin(plainForm(file.slice(lastDot))) ? lastDot : file.lastIndexOf('.')
  const stem = dot > 0 ? name.slice(0, name.length - file.length + dot) : name
  return { stem, extension: name.slice(stem.length) }
}

/** Replaces every character of an extension that looks like an ASCII one, but is another. */
export function replaceLookAlikes(extension: string, replace: (character: string) => string): string {
  if (!isLatin(plainForm(extension))) return extension
  return Array.from(extension, (character) => (isLookAlike(character) ? replace(character) : character)).join('')
}

/** Returns a name whose extension, if it looks like ASCII, is ASCII, so that it is of the type that it seems to be. */
export function withPlainExtension(name: string): string {
  const { stem, extension } = splitExtension(name)
  const plain = plainForm(extension)
  return /^\d*\.[\w-]*[a-z][\w-]*$/i.test(plain) ? stem + plain : name
}

const isLatin = (plain: string): boolean => latinOrLookAlike.test(plain) && letter.test(plain)

const isLookAlike = (character: string): boolean =>
  !ascii.test(character) && (lookAlike.test(character) || ascii.test(plainForm(character)))

/** The extension in its compatibility form, NFKC, with ASCII dots. */
const plainForm = (extension: string): string => extension.normalize('NFKC').replace(dots, '.')
