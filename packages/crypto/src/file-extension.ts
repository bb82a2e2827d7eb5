// Full stops of other scripts, and compatibility characters that contain one.
const dotLookAlikes = /[\u0701\u0702\u2024\u2488-\u249b\ua4f8\ua60e\ufe52\uff0e\u{10a50}\u{1d16d}\u{1f100}]/gu
const dot = String.raw`(?:\.|${dotLookAlikes.source})`
const lastDot = new RegExp(`${dot}(?:(?!${dot})[^/])*$`, 'u')
const lastAsciiDot = /\.[^./]*$/

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
  const found = lastDot.exec(name)
  const index = found && isLatin(plainForm(found[0])) ? found.index : name.search(lastAsciiDot)
  return index > 0 ? { stem: name.slice(0, index), extension: name.slice(index) } : { stem: name, extension: '' }
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
const plainForm = (extension: string): string => extension.normalize('NFKC').replace(dotLookAlikes, '.')
