import type * as z from 'zod/mini'
import type { ErrorCode } from './error-codes.ts'

/** Marks a body or an answer that is a stream of bytes: it is never parsed and never gathered in memory. */
export const bytes = { kind: 'bytes' } as const
export type Bytes = typeof bytes

/** Marks an answer without a body. */
export const nothing = { kind: 'nothing' } as const
export type Nothing = typeof nothing

/**
 * Who may call.
 * - `anyone`: no bearer token is asked for; one that is sent is looked at.
 * - `account`: a bearer token of a live sign-in.
 * - `operator`: the machine itself, or the holder of the operator's token.
 */
export type Access = 'anyone' | 'account' | 'operator'

/** What a signed-in caller may still lack: the second factor they have enrolled, or a licence that is in force. */
export type Lack = 'second-factor' | 'licence'

export interface EndpointSpec {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/${string}`
  readonly summary: string
  readonly access: Access
  /** A call for anyone that means more to those who are signed in: their token goes along where there is one. */
  readonly bearer?: 'optional'
  /** Callers who lack one of these may call nevertheless; everybody else is asked for it first. */
  readonly without?: readonly Lack[]
  readonly params?: z.ZodMiniType
  readonly query?: z.ZodMiniType
  /** Header names are lower case. Nothing is read from a request that is not named here. */
  readonly headers?: z.ZodMiniType
  readonly body?: z.ZodMiniType | Bytes
  readonly reply: z.ZodMiniType | Bytes | Nothing
  /** What this call refuses with, beside the refusals every call shares. */
  readonly errors?: readonly ErrorCode[]
}

/** Describes one call as a value; keeps its literal types so that server, client and OpenAPI derive from it. */
export function endpoint<const Spec extends EndpointSpec>(spec: Spec): Spec {
  return spec
}

type Part = 'params' | 'query' | 'headers' | 'body'

/** What a handler receives: parsed and stripped of what the contract does not name. `Stream` stands for a byte body. */
export type Received<E extends EndpointSpec, Stream> = {
  [K in keyof E & Part]: E[K] extends z.ZodMiniType ? z.output<E[K]> : Stream
}

/** What a caller sends. `Stream` stands for a byte body. */
export type Sent<E extends EndpointSpec, Stream> = {
  [K in keyof E & Part]: E[K] extends z.ZodMiniType ? z.input<E[K]> : Stream
}

/** What a call answers with once parsed; `never` for a stream, `undefined` for nothing. */
export type Reply<E extends EndpointSpec> = E['reply'] extends z.ZodMiniType
  ? z.output<E['reply']>
  : E['reply'] extends Nothing
    ? undefined
    : never

/** Puts values into a path's `:name` places, percent-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:([a-zA-Z]+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`No value for :${name} in ${path}`)
    return encodeURIComponent(value)
  })
}
