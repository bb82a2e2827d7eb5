import type * as z from 'zod/mini'
import type { ErrorCode } from './error-codes.ts'

/** Marks a request or response body that is a byte stream: it is neither parsed nor buffered. */
export const bytes = { kind: 'bytes' } as const
export type Bytes = typeof bytes

/**
 * Marks a JSON request body that is passed on as the bytes that were received, because a signature covers them. Its
 * longest length is that of `bodyBytes`.
 */
export const raw = { kind: 'raw' } as const
export type Raw = typeof raw

/** Marks a response without a body. */
export const nothing = { kind: 'nothing' } as const
export type Nothing = typeof nothing

/**
 * Who may call.
 * - `anyone`: needs no bearer token; one that is sent is verified.
 * - `account`: a bearer token of a valid auth session.
 * - `admin`: the same, of an account that is an admin at the time of the call.
 * - `operator`: the machine itself, or the holder of the operator's token.
 */
export type Access = 'anyone' | 'account' | 'admin' | 'operator'

/** What a signed-in caller may lack: the second factor that they have enrolled, or a valid licence. */
export type Requirement = 'second-factor' | 'licence'

export interface EndpointSpec {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/${string}`
  readonly summary: string
  readonly access: Access
  /** Set on a call for anyone that does more for signed-in callers: the client sends the token if it has one. */
  readonly bearer?: 'optional'
  /** Callers who lack one of these may call anyway; for all other calls both are required. */
  readonly allowWithout?: readonly Requirement[]
  readonly params?: z.ZodMiniType
  readonly query?: z.ZodMiniType
  /** Header names are lower case. Headers that are not listed here are ignored. */
  readonly headers?: z.ZodMiniType
  readonly body?: z.ZodMiniType | Bytes | Raw
  /** The longest JSON body, if it differs from the usual limit. */
  readonly bodyBytes?: number
  readonly reply: z.ZodMiniType | Bytes | Nothing
  /** The errors of this call, in addition to those of every call. */
  readonly errors?: readonly ErrorCode[]
}

/** A call for every account, also without a valid licence. */
export const anyAccount = { access: 'account', allowWithout: ['licence'] } as const

/** Declares one call as a value; preserves its literal types, from which server, client and OpenAPI derive theirs. */
export function endpoint<const Spec extends EndpointSpec>(spec: Spec): Spec {
  return spec
}

type RequestPart = 'params' | 'query' | 'headers' | 'body'

/**
 * The input of a handler: parsed and without fields that the contract does not name. `Stream` is the type of a byte
 * body.
 */
export type HandlerInput<E extends EndpointSpec, Stream> = {
  [K in keyof E & RequestPart]: E[K] extends z.ZodMiniType ? z.output<E[K]> : E[K] extends Raw ? Uint8Array : Stream
}

/** The input of a caller. `Stream` is the type of a byte body. */
export type CallerInput<E extends EndpointSpec, Stream> = {
  [K in keyof E & RequestPart]: E[K] extends z.ZodMiniType ? z.input<E[K]> : Stream
}

/** The parsed reply of a call; `never` for a stream, `undefined` for none. */
export type Reply<E extends EndpointSpec> = E['reply'] extends z.ZodMiniType
  ? z.output<E['reply']>
  : E['reply'] extends Nothing
    ? undefined
    : never

/** Fills the `:name` parameters of a path, percent-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:([a-zA-Z]+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`No value for :${name} in ${path}`)
    return encodeURIComponent(value)
  })
}
