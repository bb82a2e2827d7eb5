interface StripeErrorFields {
  readonly type?: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  readonly code?: string
  readonly declineCode?: string
  readonly param?: string
}

/** An error that the API answers with. */
export class StripeApiError extends Error {
  readonly status: number
  readonly fields: StripeErrorFields

  constructor(status: number, message: string, fields: StripeErrorFields = {}) {
    super(message)
    this.status = status
    this.fields = fields
  }
}

/** The body of an error answer. */
export const errorBody = ({ message, fields }: StripeApiError) => ({
  error: {
    type: fields.type ?? 'invalid_request_error',
    ...(fields.code !== undefined && {
      code: fields.code,
      doc_url: `https://stripe.com/docs/error-codes/${fields.code.replaceAll('_', '-')}`,
    }),
    ...(fields.declineCode !== undefined && { decline_code: fields.declineCode }),
    message,
    ...(fields.param !== undefined && { param: fields.param }),
  },
})

/** The error of a request that cannot be processed. */
export const invalidRequest = (message: string, param?: string, code?: string): StripeApiError =>
  new StripeApiError(400, message, { ...(param !== undefined && { param }), ...(code !== undefined && { code }) })

/** Returns an object by the id in the path of a request. Throws 404 `resource_missing` without it. */
export function findByPath<Entry>(
  entries: ReadonlyMap<string, Entry>,
  id: string,
  { kind, param = 'id' }: { readonly kind: string; readonly param?: string },
): Entry {
  const entry = entries.get(id)
  if (entry === undefined)
    throw new StripeApiError(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param })
  return entry
}

/** Returns an object by the id in a parameter of a request. Throws 400 `resource_missing` without it. */
export function findByParam<Entry>(
  entries: ReadonlyMap<string, Entry>,
  id: string,
  { kind, param }: { readonly kind: string; readonly param: string },
): Entry {
  const entry = entries.get(id)
  if (entry === undefined) throw invalidRequest(`No such ${kind}: '${id}'`, param, 'resource_missing')
  return entry
}
