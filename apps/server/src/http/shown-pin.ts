interface PinRequest {
  readonly headers: object
  readonly query?: unknown
  readonly body?: unknown
}

/** The PIN a request shows: in its body, its headers or its query, in this order; undefined without one. */
export function shownPin({ headers, query, body }: PinRequest): string | undefined {
  const named = (fields: unknown) => (fields ?? {}) as { session_pin?: string; sessionPin?: string }
  const { 'x-session-pin': inHeader } = headers as { 'x-session-pin'?: string }
  return named(body).session_pin ?? named(body).sessionPin ?? inHeader ?? named(query).session_pin
}
