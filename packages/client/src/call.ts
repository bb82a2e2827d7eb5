import type { Bytes, EndpointSpec, Reply } from '@sallyport/contract/endpoint'
import { clientErrors } from '@sallyport/contract/error-codes'
import { readAnswer, refusalOf } from './answer.ts'
import { type Clock, systemClock, withDeadline } from './clock.ts'
import { ApiError } from './errors.ts'
import { readWhole, send, withBearer } from './http.ts'
import { type OnlyNamed, type Outgoing, prepareRequest } from './request.ts'

/**
 * The bearer token of the sign-in, or null without one. Given the token the server has just turned down, a fresh one
 * where there is one.
 */
export type AccessToken = (turnedDown?: string) => Promise<string | null>

export interface Connection {
  /** Origin of the server without a slash at its end; empty for the page's own. */
  readonly baseUrl: string
  readonly accessToken: AccessToken
  readonly fetch: typeof globalThis.fetch
  readonly clock?: Clock
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
}

/** A stream of bytes is answered as the response itself, once it is known to be no refusal. */
export type CallReply<E extends EndpointSpec> = E['reply'] extends Bytes ? Response : Reply<E>

/**
 * Calls one endpoint of the contract. Throws an `ApiError` when the server refuses, a `NetworkError` when it cannot be
 * reached, the signal's reason when aborted and a `TimeoutError` when the time is up.
 */
export type Call = <E extends EndpointSpec, const S extends Outgoing<E>>(
  endpoint: E,
  sent: S & OnlyNamed<S, Outgoing<E>>,
  options?: CallOptions,
) => Promise<CallReply<E>>

export function createCaller({ baseUrl, accessToken, fetch, clock = systemClock }: Connection): Call {
  return async (endpoint, sent, { signal, timeoutMs } = {}) => {
    const request = prepareRequest(endpoint, sent, baseUrl)
    return withDeadline({ clock, timeoutMs, signal }, async (ending) => {
      const read = (response: Response) => readResponse({ endpoint, response, clock, signal: ending })
      if (endpoint.access !== 'account') {
        const known = endpoint.bearer === 'optional' ? await accessToken() : null
        return read(await send(fetch, withBearer(request, known), ending))
      }

      const token = await requireToken(accessToken)
      const response = await send(fetch, withBearer(request, token), ending)
      const fresh = response.status === 401 ? await accessToken(token) : null
      if (fresh === null || fresh === token) return read(response)
      await response.body?.cancel()
      return read(await send(fetch, withBearer(request, fresh), ending))
    })
  }
}

/** Refuses in the server's words what the server would refuse anyway. */
export async function requireToken(accessToken: AccessToken): Promise<string> {
  const token = await accessToken()
  const { status, text } = clientErrors.NO_TOKEN
  if (token === null) throw new ApiError({ status, code: 'NO_TOKEN', message: text })
  return token
}

interface Reading<E extends EndpointSpec> {
  readonly endpoint: E
  readonly response: Response
  readonly clock: Clock
  readonly signal: AbortSignal
}

async function readResponse<E extends EndpointSpec>(reading: Reading<E>): Promise<CallReply<E>> {
  const { endpoint, response, clock, signal } = reading
  const isStream = 'kind' in endpoint.reply && endpoint.reply.kind === 'bytes'
  if (response.ok && isStream) return response as CallReply<E>
  const answer = await readWhole(response, signal)
  if (!response.ok) throw refusalOf(answer, clock.now())
  return readAnswer(endpoint, answer, clock.now()) as CallReply<E>
}
