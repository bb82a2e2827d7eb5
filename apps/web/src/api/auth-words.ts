import { SpokenError, unreachable } from './failure.ts'

const again = 'Please sign in again.'

/** What the provider's client says, where a person needs more than its own sentence. */
const sayings: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/session (missing|from session_id)/i, `Auth session missing! ${again}`],
  [/invalid jwt/i, `Invalid JWT signature. ${again}`],
  [/jwks|key set/i, `The key set of the sign-in service is empty. ${again}`],
]

/** A failure of the sign-in service in words for a person. */
export function sayAuthError({ name, message }: Error): string {
  if (name === 'AuthRetryableFetchError') return unreachable
  return sayings.find(([pattern]) => pattern.test(message))?.[1] ?? message
}

interface Answered {
  readonly data: unknown
  readonly error: Error | null
}

type DataOf<Answer extends Answered> = NonNullable<Extract<Answer, { readonly error: null }>['data']>

/** What the provider's client answered. Throws a `SpokenError` for what it failed with. */
export function answerOf<Answer extends Answered>({ data, error }: Answer): DataOf<Answer> {
  if (error) throw new SpokenError(sayAuthError(error), { cause: error })
  if (data === null || data === undefined) throw new SpokenError(unreachable)
  return data as DataOf<Answer>
}

/** The name the provider gives its refusal, such as `otp_expired`; null where there is none. */
export function authCodeOf(error: unknown): string | null {
  const cause = error instanceof SpokenError ? error.cause : error
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null
}
