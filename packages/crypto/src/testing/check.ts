import { CryptoError, type CryptoErrorCode } from '../errors.ts'

/** One thing that must hold wherever this package runs: in Node, in a page, in a worker. */
export interface Check {
  readonly name: string
  run(): Promise<void>
}

/** Framework-free, so that the same checks run in a browser. */
export function expectEqual(actual: unknown, expected: unknown): void {
  const [left, right] = [plainText(actual), plainText(expected)]
  if (left !== right) throw new Error(`expected ${shortened(right)}, got ${shortened(left)}`)
}

export async function expectRefusal(act: () => unknown, code: CryptoErrorCode): Promise<CryptoError> {
  const outcome = await settle(act)
  if (!('error' in outcome)) throw new Error(`expected to be refused as ${code}, but it passed`)
  const { error } = outcome
  if (!(error instanceof CryptoError)) throw error
  if (error.code !== code) throw new Error(`expected to be refused as ${code}, got ${error.code}: ${error.message}`)
  return error
}

async function settle(act: () => unknown): Promise<{ value: unknown } | { error: unknown }> {
  try {
    return { value: await act() }
  } catch (error) {
    return { error }
  }
}

const plainText = (value: unknown): string =>
  value instanceof Uint8Array
    ? value.toHex()
    : JSON.stringify(value, (_key, part) => (part instanceof Uint8Array ? part.toHex() : part))

const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
