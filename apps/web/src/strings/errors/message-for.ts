import { ApiError, ClientError, type ClientErrorCode, NetworkError } from '@sallyport/client/errors'
import { errorStrings } from './errors.ts'

/** An error of the page that is thrown together with the sentence to show. */
export class UserFacingError extends Error {
  override readonly name = 'UserFacingError'
  readonly sentence: string

  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.sentence = sentence
  }
}

/** Returns what one feature says about an error; undefined for one that it has no sentence of its own for. */
export type DescribeError = (error: unknown) => string | undefined

/** Sentences for codes. A function inserts the number of the chunk or record that failed. */
type CodeStrings = { readonly [Code in ClientErrorCode]?: string | ((index: number) => string) }

/**
 * Returns the sentence to show for an error: the feature's own, then the one for its code, otherwise the fallback. The
 * messages of errors are for developers and are never shown.
 */
export function messageFor(error: unknown, fallback: string, describe?: DescribeError): string {
  return describe?.(error) || describeAny(error) || fallback
}

function describeAny(error: unknown): string | undefined {
  if (error instanceof NetworkError) return errorStrings.serverUnreachable
  if (error instanceof UserFacingError) return error.sentence
  if (!(error instanceof ApiError)) return describeCode(errorStrings, error)
  if (error.code === 'NO_TOKEN') return errorStrings.signInFirst
  return error.code === null && error.serverMessage === '' ? errorStrings.INVALID_RESPONSE : error.serverMessage
}

/** Returns the sentence that these strings have for the code of a client error. */
export function describeCode(strings: CodeStrings, error: unknown): string | undefined {
  if (!(error instanceof ClientError)) return undefined
  const sentence = strings[error.code]
  return typeof sentence === 'function' ? sentence(error.index ?? 0) : sentence
}
