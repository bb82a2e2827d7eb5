import { NetworkError } from '@sallyport/client/errors'
import { errorStrings } from '#/strings/errors/errors.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'

const signInAgain = 'Please sign in again.'

/** Provider messages that need a clearer text for users. */
const knownMessages: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/session (missing|from session_id)/i, `Auth session missing! ${signInAgain}`],
  [/invalid jwt/i, `Invalid JWT signature. ${signInAgain}`],
  [/jwks|key set/i, `The key set of the sign-in service is empty. ${signInAgain}`],
]

/** Returns the message to show for an error of the auth provider. */
export function authErrorMessage({ name, message }: Error): string {
  if (name === 'AuthRetryableFetchError') return errorStrings.serverUnreachable
  return knownMessages.find(([pattern]) => pattern.test(message))?.[1] ?? message
}

/** Converts an error of the auth provider to a `NetworkError` without a response, otherwise to a `UserFacingError`. */
export const toAuthError = (error: Error): Error =>
  error.name === 'AuthRetryableFetchError'
    ? new NetworkError({ cause: error })
    : new UserFacingError(authErrorMessage(error), { cause: error })

interface AuthResponse {
  readonly data: unknown
  readonly error: Error | null
}

type AuthResponseData<Result extends AuthResponse> = NonNullable<Extract<Result, { readonly error: null }>['data']>

/** Returns the data of a provider response. Throws what `toAuthError` returns if it failed. */
export function unwrapAuthResponse<Answer extends AuthResponse>({ data, error }: Answer): AuthResponseData<Answer> {
  if (error) throw toAuthError(error)
  if (data === null || data === undefined) throw new UserFacingError(errorStrings.serverUnreachable)
  return data as AuthResponseData<Answer>
}

/** The provider's error code, such as `otp_expired`; null if there is none. */
export function authErrorCode(error: unknown): string | null {
  const cause = error instanceof UserFacingError ? error.cause : error
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null
}
