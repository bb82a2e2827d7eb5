import { NetworkError } from './errors.ts'
import type { PreparedRequest } from './request.ts'
import type { BufferedResponse } from './response.ts'

/** Sends a request and returns the response whatever its status. Throws a `NetworkError`, or the signal's reason. */
export async function sendRequest(
  fetch: typeof globalThis.fetch,
  { url, method, headers, body }: PreparedRequest,
  signal: AbortSignal,
): Promise<Response> {
  return wrapNetworkError(signal, () =>
    fetch(url, {
      method,
      headers,
      signal,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      ...(body !== undefined && { body }),
    }),
  )
}

/** Reads a short response to its end. */
export async function bufferResponse(response: Response, signal: AbortSignal): Promise<BufferedResponse> {
  const body = await wrapNetworkError(signal, () => response.text())
  const { status, statusText, headers } = response
  return { status, statusText, body, retryAfter: headers.get('Retry-After'), date: headers.get('Date') }
}

export const withBearer = (request: PreparedRequest, token: string | null): PreparedRequest =>
  token === null ? request : { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }

/** Rejects with a `NetworkError`, or with the signal's reason, where the work rejects. */
export async function wrapNetworkError<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new NetworkError({ cause: error })
  }
}
