import type { Answer } from './answer.ts'
import { NetworkError } from './errors.ts'
import type { PreparedRequest } from './request.ts'

/** Sends a request as it is and gives the answer whatever its status. Throws a `NetworkError`, or the signal's reason. */
export async function send(
  fetch: typeof globalThis.fetch,
  { url, method, headers, body }: PreparedRequest,
  signal: AbortSignal,
): Promise<Response> {
  return orNetworkError(signal, () =>
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

/** Reads a short answer to its end. */
export async function readWhole(response: Response, signal: AbortSignal): Promise<Answer> {
  const body = await orNetworkError(signal, () => response.text())
  const { status, statusText } = response
  return { status, statusText, body, retryAfter: response.headers.get('Retry-After') }
}

export const withBearer = (request: PreparedRequest, token: string | null): PreparedRequest =>
  token === null ? request : { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }

async function orNetworkError<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new NetworkError(undefined, { cause: error })
  }
}
