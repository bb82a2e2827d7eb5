/** Fewer secret digits than this can be found by brute force. */
const minSecretDigits = 4

/**
 * The server's guess at a code whose digits `known` it has. With four or more unknown digits the guess is
 * always wrong, so that no case depends on luck; fewer unknown digits count as known.
 */
export function guessCode(code: string, knownDigits: string): string {
  const isPrefix = code.startsWith(knownDigits)
  const secret = isPrefix ? code.slice(knownDigits.length) : code
  if (secret.length < minSecretDigits) return code
  const wrong = [...secret].map((digit) => String((Number(digit) + 1) % 10)).join('')
  return isPrefix ? knownDigits + wrong : wrong
}
