import { CryptoError, type CryptoErrorCode } from '../errors.ts'

/** A check that must pass wherever this package runs: in Node, in a page, in a worker. */
export interface Check {
  readonly name: string
  run(): Promise<void>
}

/** Independent of a test framework, so that the same checks run in a browser. */
export function expectEqual(actual: unknown, expected: unknown): void {
  const [left, right] = [toComparableText(actual), toComparableText(expected)]
  if (left !== right) throw new Error(`expected ${shorten(right)}, got ${shorten(left)}`)
}

export async function expectCryptoError(action: () => unknown, code: CryptoErrorCode): Promise<CryptoError> {
  const outcome = await captureOutcome(action)
  if (!('error' in outcome)) throw new Error(`expected a CryptoError ${code}, but it passed`)
  const { error } = outcome
  if (!(error instanceof CryptoError)) throw error
  if (error.code !== code) throw new Error(`expected a CryptoError ${code}, got ${error.code}: ${error.message}`)
  return error
}

async function captureOutcome(action: () => unknown): Promise<{ value: unknown } | { error: unknown }> {
  try {
    return { value: await action() }
  } catch (error) {
    return { error }
  }
}

const toComparableText = (value: unknown): string =>
  value instanceof Uint8Array
    ? value.toHex()
    : JSON.stringify(value, (_key, part) => (part instanceof Uint8Array ? part.toHex() : part))

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
