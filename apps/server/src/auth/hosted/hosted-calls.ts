import { authVersion, authVersionHeader, type SignInPolicy } from '@sallyport/contract/auth'
import { type AuthErrorCode, authErrorCatalogue } from '@sallyport/contract/auth-errors'
import * as z from 'zod'
import { AuthRefusal, refuseAuth } from '../protocol/auth-refusal.ts'

interface Place {
  /** Without a slash at its end. */
  readonly url: string
  readonly publishableKey: string
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly token?: string
  readonly body?: object
  /** The block of addresses the call is made for; limits over there are kept by it. */
  readonly address?: string
  /** How long the sign-in is to last; a provider that knows no such thing overlooks it. */
  readonly policy?: SignInPolicy
}

const Refused = z.object({ code: z.string().optional(), message: z.string().optional() })
const timeoutMs = 10_000

/** Calls a provider elsewhere by its protocol. What it refuses is refused here in the same words. */
export function createHostedCalls({ url, publishableKey }: Place) {
  return async function call<Reply extends z.ZodType>(reply: Reply, wish: Call): Promise<z.output<Reply>> {
    const { method, path, token, body, address, policy } = wish
    const answer = await fetch(url + path, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        apikey: publishableKey,
        [authVersionHeader]: authVersion,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(address !== undefined && { 'sb-forwarded-for': address.replace(/\/64$/, '') }),
        ...(policy !== undefined && { 'x-session-policy': policy }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const said: unknown = answer.status === 204 ? {} : await answer.json().catch(() => ({}))
    if (answer.ok) return reply.parse(said)
    throw refusalOf(answer, Refused.safeParse(said).data ?? {})
  }
}

export type HostedCalls = ReturnType<typeof createHostedCalls>

/** Runs a call; a refusal by this code is no failure but an answer. */
export async function unless<Answer, Instead>(
  code: AuthErrorCode,
  instead: Instead,
  call: Promise<Answer>,
): Promise<Answer | Instead> {
  return call.catch((error: unknown) => {
    if (error instanceof AuthRefusal && error.code === code) return instead
    throw error
  })
}

function refusalOf({ status, headers }: Response, { code, message }: z.output<typeof Refused>): AuthRefusal {
  if (status >= 500) return refuseAuth('unexpected_failure')
  const known = isKnown(code) ? code : status === 429 ? 'over_request_rate_limit' : 'validation_failed'
  const retryAfterSeconds = Number(headers.get('retry-after') ?? Number.NaN)
  return refuseAuth(known, {
    ...(message !== undefined && { text: message }),
    ...(Number.isFinite(retryAfterSeconds) && { retryAfterSeconds }),
    status,
  })
}

const isKnown = (code: string | undefined): code is AuthErrorCode =>
  code !== undefined && Object.hasOwn(authErrorCatalogue, code)
