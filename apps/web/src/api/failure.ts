import { ApiError, NetworkError } from '@sallyport/client/errors'

/** A failure whose message is written for a person. */
export class SpokenError extends Error {
  override readonly name = 'SpokenError'
}

export const unreachable = 'The server cannot be reached. Check your connection and try again.'

/**
 * What to show a person for a failure. Transfers and share links fail with plain errors that are written for people;
 * messages of any other kind of error stay out of sight.
 */
export function speak(error: unknown, fallback: string): string {
  if (error instanceof NetworkError) return unreachable
  const isWritten = error instanceof ApiError || error instanceof SpokenError
  const isPlain = error instanceof Error && (error.name === 'Error' || error.name === 'ShareLinkError')
  return ((isWritten || isPlain) && error.message) || fallback
}
