interface PinRequest {
  readonly headers: object
  readonly query?: unknown
  readonly body?: unknown
}

/** The PIN in a request's body, headers or query, in this order; undefined if there is none. */
export function pinOfRequest({ headers, query, body }: PinRequest): string | undefined {
  const named = (fields: unknown) => (fields ?? {}) as { session_pin?: string; sessionPin?: string }
  const { 'x-session-pin': inHeader } = headers as { 'x-session-pin'?: string }
  return named(body).session_pin ?? named(body).sessionPin ?? inHeader ?? named(query).session_pin
}
