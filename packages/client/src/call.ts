import type { Bytes, EndpointSpec, Reply } from '@sallyport/contract/endpoint'
import { type Clock, systemClock, withDeadline } from './clock.ts'
import type { Connectivity } from './connectivity.ts'
import { ApiError } from './errors.ts'
import { bufferResponse, sendRequest, withBearer } from './http.ts'
import { type CallInput, type OnlyNamed, prepareRequest } from './request.ts'
import { parseResponse, toApiError } from './response.ts'

/**
 * Returns the bearer token of the auth session, or null when signed out. Given a token that the server has just
 * rejected, returns a fresh one if there is one.
 */
export type GetAccessToken = (rejectedToken?: string) => Promise<string | null>

export interface Connection {
  /** Origin of the server without a trailing slash; empty for the page's own origin. */
  readonly baseUrl: string
  readonly getAccessToken: GetAccessToken
  readonly fetch: typeof globalThis.fetch
  readonly clock?: Clock
  /** Lets transfers wait for a server that is away; without it they fail after their attempts. */
  readonly connectivity?: Connectivity | undefined
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
}

/** A byte stream is returned as the response itself, once its status shows success. */
export type CallReply<E extends EndpointSpec> = E['reply'] extends Bytes ? Response : Reply<E>

/**
 * Calls one endpoint of the contract. Throws an `ApiError` for an error response, a `NetworkError` when the server
 * cannot be reached, the signal's reason when aborted, and a `TimeoutError` after `timeoutMs`.
 */
export type Call = <E extends EndpointSpec, const S extends CallInput<E>>(
  endpoint: E,
  input: S & OnlyNamed<S, CallInput<E>>,
  options?: CallOptions,
) => Promise<CallReply<E>>

export function createCaller({ baseUrl, getAccessToken, fetch, clock = systemClock }: Connection): Call {
  return async (endpoint, input, { signal, timeoutMs } = {}) => {
    const request = prepareRequest(endpoint, input, baseUrl)
    return withDeadline({ clock, timeoutMs, signal }, async (deadlineSignal) => {
      const read = (response: Response) => readResponse({ endpoint, response, clock, signal: deadlineSignal })
      if (endpoint.access !== 'account' && endpoint.access !== 'admin') {
        const optionalToken = endpoint.bearer === 'optional' ? await getAccessToken() : null
        return read(await sendRequest(fetch, withBearer(request, optionalToken), deadlineSignal))
      }

      const token = await requireToken(getAccessToken)
      const response = await sendRequest(fetch, withBearer(request, token), deadlineSignal)
      const freshToken = response.status === 401 ? await getAccessToken(token) : null
      if (freshToken === null || freshToken === token) return read(response)
      await response.body?.cancel()
      return read(await sendRequest(fetch, withBearer(request, freshToken), deadlineSignal))
    })
  }
}

/** Throws the error the server would answer without a token, so that no request is sent. */
export async function requireToken(getAccessToken: GetAccessToken): Promise<string> {
  const token = await getAccessToken()
  if (token === null) throw new ApiError({ status: 401, code: 'NO_TOKEN' })
  return token
}

/** Sends with the bearer token, and once more with a fresh one if the server rejects the first. */
export async function withFreshToken<Result>(
  getAccessToken: GetAccessToken,
  send: (token: string) => Promise<Result>,
  isRejected: (result: Result) => boolean,
): Promise<Result> {
  const token = await requireToken(getAccessToken)
  const result = await send(token)
  const freshToken = isRejected(result) ? await getAccessToken(token) : null
  return freshToken === null || freshToken === token ? result : send(freshToken)
}

interface ReadResponseInput<E extends EndpointSpec> {
  readonly endpoint: E
  readonly response: Response
  readonly clock: Clock
  readonly signal: AbortSignal
}

async function readResponse<E extends EndpointSpec>(input: ReadResponseInput<E>): Promise<CallReply<E>> {
  const { endpoint, response, clock, signal } = input
  const isStream = 'kind' in endpoint.reply && endpoint.reply.kind === 'bytes'
  if (response.ok && isStream) return response as CallReply<E>
  const buffered = await bufferResponse(response, signal)
  if (!response.ok) throw toApiError(buffered, clock.now())
  return parseResponse(endpoint, buffered, clock.now()) as CallReply<E>
}
