/**
 * The digits of a typed or copied code, as 0 to 9: of any script, full-width ones included. Everything else is ignored,
 * such as spaces, dashes and a label.
 */
export const plainDigits = (text: string): string =>
  [...text.normalize('NFKC')]
    .filter((character) => /\p{Nd}/u.test(character))
    .map(digitValue)
    .join('')

/** Unicode encodes the digits of each script in a row, from 0 to 9, and some rows next to each other. */
function digitValue(digit: string): number {
  const codePoint = digit.codePointAt(0) ?? 0
  let value = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - value - 1))) value += 1
  return value % 10
}
