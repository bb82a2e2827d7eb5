import { StripeApiError } from './stripe-error.ts'

/** An answer as it is sent. */
export interface Answer {
  readonly status: number
  readonly body: string
  /** Whether requests with the same idempotency key are answered the same. */
  readonly isSaved: boolean
}

interface SavedAnswer {
  readonly request: string
  readonly answer: Answer
  readonly at: number
}

const savedMs = 24 * 60 * 60 * 1000

/** Stores the answers of requests by their `Idempotency-Key` for 24 hours. */
export function createIdempotencyStore(now: () => number) {
  const saved = new Map<string, SavedAnswer>()

  return {
    /** Returns the saved answer of a key. Throws 400 if it was used for another request. */
    find(key: string, request: string): Answer | null {
      const found = saved.get(key)
      if (found === undefined || now() - found.at >= savedMs) return null
      if (found.request === request) return found.answer
      throw new StripeApiError(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: 'idempotency_error' },
      )
    },
    save(key: string, request: string, answer: Answer): void {
      saved.set(key, { request, answer, at: now() })
    },
  }
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>
