/** Fewer secret digits than this can be found by trying them all. */
const fewestSecretDigits = 4

/**
 * The code that a server makes out of the digits it knows. With four or more left it takes a wrong code, so that no case
 * depends on luck; what is left of fewer digits counts as known.
 */
export function guessCode(code: string, known: string): string {
  const isPrefix = code.startsWith(known)
  const secret = isPrefix ? code.slice(known.length) : code
  if (secret.length < fewestSecretDigits) return code
  const wrong = [...secret].map((digit) => String((Number(digit) + 1) % 10)).join('')
  return isPrefix ? known + wrong : wrong
}
