import { requestLimits } from '@sallyport/contract/server-limits'

/**
 * Whether a JSON text nests and contains as few values as any request does. A scan costs a fraction of parsing, which
 * deep or numerous values make many times as expensive as a text of the same length. Does not check the syntax.
 */
export function isBoundedJson(text: string): boolean {
  const { jsonDepth, jsonValues } = requestLimits
  let depth = 0
  let values = 1
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') {
      index = endOfString(text, index)
    } else if (character === '{' || character === '[') {
      depth += 1
      values += 1
    } else if (character === '}' || character === ']') {
      depth -= 1
    } else if (character === ',') {
      values += 1
    }
    if (depth > jsonDepth || values > jsonValues) return false
  }
  return true
}

/** The index of the quotation mark that ends the string; the length of the text if there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, index: number): boolean {
  let first = index
  while (text[first - 1] === '\\') first -= 1
  return (index - first) % 2 === 1
}
