import { authVersion, authVersionHeader, type SessionLifetime } from '@sallyport/contract/auth'
import { type AuthErrorCode, authErrorCatalogue } from '@sallyport/contract/auth-errors'
import * as z from 'zod'
import { AuthError, authError } from '../protocol/auth-error.ts'

interface HostedEndpoint {
  /** Without a trailing slash. */
  readonly url: string
  readonly publishableKey: string
}

interface HostedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly token?: string
  readonly body?: object
  /** The IP address block of the client, by which the provider counts its rate limits. */
  readonly address?: string
  /** The requested session lifetime; a provider that does not support it ignores the header. */
  readonly sessionLifetime?: SessionLifetime
}

const ErrorBody = z.object({ code: z.string().optional(), message: z.string().optional() })
const timeoutMs = 10_000

/** Creates a client for a hosted provider. Its error responses are rethrown with the same code and text. */
export function createHostedClient({ url, publishableKey }: HostedEndpoint) {
  return async function call<Schema extends z.ZodType>(
    schema: Schema,
    request: HostedRequest,
  ): Promise<z.output<Schema>> {
    const { method, path, token, body, address, sessionLifetime } = request
    const response = await fetch(url + path, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        apikey: publishableKey,
        [authVersionHeader]: authVersion,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(address !== undefined && { 'sb-forwarded-for': address.replace(/\/64$/, '') }),
        ...(sessionLifetime !== undefined && { 'x-session-policy': sessionLifetime }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const payload: unknown = response.status === 204 ? {} : await response.json().catch(() => ({}))
    if (response.ok) return schema.parse(payload)
    throw toAuthError(response, ErrorBody.safeParse(payload).data ?? {})
  }
}

export type HostedClient = ReturnType<typeof createHostedClient>

/** Awaits a call and returns `fallback` when it fails with this error code. */
export async function catchAuthError<Result, Fallback>(
  code: AuthErrorCode,
  fallback: Fallback,
  call: Promise<Result>,
): Promise<Result | Fallback> {
  return call.catch((error: unknown) => {
    if (error instanceof AuthError && error.code === code) return fallback
    throw error
  })
}

function toAuthError({ status, headers }: Response, { code, message }: z.output<typeof ErrorBody>): AuthError {
  if (status >= 500) return authError('unexpected_failure')
  const knownCode = isKnown(code) ? code : status === 429 ? 'over_request_rate_limit' : 'validation_failed'
  const retryAfterSeconds = Number(headers.get('retry-after') ?? Number.NaN)
  return authError(knownCode, {
    ...(message !== undefined && { text: message }),
    ...(Number.isFinite(retryAfterSeconds) && { retryAfterSeconds }),
    status,
  })
}

const isKnown = (code: string | undefined): code is AuthErrorCode =>
  code !== undefined && Object.hasOwn(authErrorCatalogue, code)
